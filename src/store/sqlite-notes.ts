/** Reads notes from SQLite, and parses each only where it has changed. */
import type { Statements } from './sqlite-statements.ts'

/** Of those that were read last. */
const MOST_PARSED = 1000

/** @returns reads a note; it is the same object as before where the note is the same */
export function createNoteReader({ readNote }: Pick<Statements, 'readNote'>): (name: string) => unknown {
  const parsed = new Map<string, { text: string; note: unknown }>()
  return (name) => {
    const [row] = readNote.all<{ value: string }>(name)
    if (row === undefined) return undefined
    const { value: text } = row
    const known = parsed.get(name)
    if (known?.text === text) return known.note
    const note: unknown = JSON.parse(text)
    if (parsed.size >= MOST_PARSED) parsed.clear()
    parsed.set(name, { text, note })
    return note
  }
}
