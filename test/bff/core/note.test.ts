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

test('a note of another format, or one that is damaged, counts as absent', () => {
  expect(parseNote(KIND, { format: 2, value: 'text' })).toBe('text')
  for (const note of [{ format: 1, value: 'text' }, { format: 2, value: 7 }, 'text', null, undefined])
    expect(parseNote(KIND, note)).toBeUndefined()
})
