import { expect, test } from 'vitest'
import { bestEffort, untilStored } from '../../../src/bff/core/context.ts'
import { changeNote, claim, type NoteKind, parseNote, readNote } from '../../../src/bff/core/note.ts'
import { Problem } from '../../../src/contract/problem.ts'
import { createContext, START_MS } from '../_context.ts'

const KIND: NoteKind<string> = { format: 2 }
const LATER_MS = START_MS + 1000

test('a note is read as it was written, and each change sees the one before (8.2)', async () => {
  const { context } = createContext()
  expect(await readNote(context, KIND, 'a')).toBeUndefined()
  await changeNote(context, KIND, 'a', (known) => `${known} one`, LATER_MS)
  await changeNote(context, KIND, 'a', (known) => `${known} two`, LATER_MS)
  for (const _ of [1, 2]) expect(await readNote(context, KIND, 'a')).toBe('undefined one two')
  expect(await readNote(context, KIND, 'b')).toBeUndefined()
})

test('a note of another format counts as absent', () => {
  expect(parseNote(KIND, { format: 2, value: 'text' })).toBe('text')
  for (const note of [{ format: 1, value: 'text' }, 'text', undefined])
    expect(parseNote(KIND, note)).toBeUndefined()
})

test('of many that claim a name at once one gets it, and it is free again when the claim lapses (4.1)', async () => {
  const { context, clock } = createContext()
  const claims = await Promise.all(Array.from({ length: 20 }, () => claim(context, 'a name', LATER_MS)))
  expect(claims.filter(Boolean)).toEqual([true])
  clock.ms = LATER_MS - 1
  expect(await claim(context, 'a name', LATER_MS + 1)).toBe(false)
  clock.ms = LATER_MS
  expect(await claim(context, 'a name', LATER_MS + 1)).toBe(true)
})

test('a claim that a clock far ahead has taken is free once the clock is set back (8.3)', async () => {
  const { context, clock } = createContext()
  const take = (longestMs?: number) => claim(context, 'a name', clock.ms + 60_000, longestMs)
  clock.ms += 86_400_000
  expect(await take()).toBe(true)
  clock.ms = START_MS
  expect([await take(), await take(60_000), await take(60_000)]).toEqual([false, true, false])
})

const UNAVAILABLE = new Problem('store_unavailable')
const DEFECT = new TypeError('a defect')

test.each([
  [[], 1, undefined],
  [[UNAVAILABLE, UNAVAILABLE], 3, undefined],
  [Array.from({ length: 9 }, () => UNAVAILABLE), 7, UNAVAILABLE],
  [[UNAVAILABLE, DEFECT], 2, DEFECT],
])('a write is tried again only where the store has failed: after %o %d times (8.3)', async (...row) => {
  const [errors, tries, end] = row
  const context = { ...createContext().context, wait: () => Promise.resolve() }
  let times = 0
  const written = untilStored(context, async () => {
    times += 1
    const error = errors[times - 1]
    if (error !== undefined) throw error
  })
  expect([await written.catch((error: unknown) => error), times]).toEqual([end, tries])
})

test('a best effort hides a failure of the store, and nothing else (8.3)', async () => {
  expect(await bestEffort(Promise.resolve('done'))).toBe('done')
  expect(await bestEffort(Promise.reject(UNAVAILABLE))).toBeUndefined()
  for (const error of [new Problem('signed_out'), DEFECT])
    await expect(bestEffort(Promise.reject(error))).rejects.toBe(error)
})
