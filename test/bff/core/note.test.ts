import { expect, test } from 'vitest'
import { changeNote, claim, type NoteKind, parseNote, readNote } from '../../../src/bff/core/note.ts'
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
