import { expect, test } from 'vitest'
import { changeNote, type NoteKind, parseNote, readNote } from '../../../src/bff/core/note.ts'
import { text } from '../../../src/contract/json.ts'
import { createContext, START_MS } from '../_context.ts'

const KIND: NoteKind<string> = { format: 2, read: text }
const LATER_MS = START_MS + 1000

test('a note is read as it was written, and each change sees the one before (8.2)', async () => {
  const { context } = createContext()
  expect(await readNote(context, KIND, 'a')).toBeUndefined()
  await changeNote(context, KIND, 'a', (known) => `${known} one`, LATER_MS)
  await changeNote(context, KIND, 'a', (known) => `${known} two`, LATER_MS)
  for (const _ of [1, 2]) expect(await readNote(context, KIND, 'a')).toBe('undefined one two')
  expect(await readNote(context, KIND, 'b')).toBeUndefined()
})

test('a note that is parsed twice has its value both times, and only a marked one may be lost (8.2)', async () => {
  const { context } = createContext()
  const stored = { format: 2, value: 'text' }
  expect([parseNote(KIND, stored), parseNote(KIND, stored)]).toEqual(['text', 'text'])
  const options: unknown[] = []
  const { changeNote: write } = context.store
  context.store.changeNote = (name, change, lapsesAtMs, asked) => {
    options.push(asked)
    return write(name, change, lapsesAtMs, asked)
  }
  for (const kind of [KIND, { ...KIND, mayBeLost: true }])
    await changeNote(context, kind, 'a', () => 'text', LATER_MS)
  expect(options).toEqual([{ mayBeLost: false }, { mayBeLost: true }])
})
