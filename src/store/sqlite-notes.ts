/** Notes in SQLite, each parsed only where it has changed. */
import { LRUCache } from 'lru-cache'
import type { SqliteDatabase } from './sqlite-database.ts'
import type { Rows } from './sqlite-rows.ts'
import type { Statements } from './sqlite-statements.ts'
import type { Store } from './store.ts'

/** Of those that were used last. */
const MOST_PARSED = 10_000

interface NoteReader {
  /** It is the same object as before where the note is the same. */
  read: (name: string) => unknown
  /** In the order of the names. */
  readMany: (names: readonly string[]) => unknown[]
}

export function createNoteReader({
  readNote,
  readNotes,
}: Pick<Statements, 'readNote' | 'readNotes'>): NoteReader {
  const parsed = new LRUCache<string, { text: string; note: unknown }>({ max: MOST_PARSED })
  const noteOf = (name: string, text: string): unknown => {
    const known = parsed.get(name)
    if (known?.text === text) return known.note
    const note: unknown = JSON.parse(text)
    parsed.set(name, { text, note })
    return note
  }
  return {
    read(name) {
      const [row] = readNote.all<{ value: string }>(name)
      return row && noteOf(name, row.value)
    },
    readMany(names) {
      const rows = readNotes.all<{ name: string; value: string }>(JSON.stringify(names))
      const found = new Map(rows.map(({ name, value }) => [name, noteOf(name, value)]))
      return names.map((name) => found.get(name))
    },
  }
}

/** The methods of the store for notes. */
export const notes = (
  db: SqliteDatabase,
  sql: Statements,
  { rows, readMany }: Pick<NoteReader, 'readMany'> & { rows: Rows<unknown> },
): Pick<Store, 'readNote' | 'readNotes' | 'changeNote'> => ({
  async readNote(name) {
    return rows.get(name)
  },
  async readNotes(names) {
    return readMany(names)
  },
  changeNote: (name, change, lapsesAtMs, options) =>
    db.write(() => {
      const changed = change(rows.get(name))
      rows.forget(name)
      if (changed === undefined) sql.removeNote.run(name)
      else sql.writeNote.run(name, JSON.stringify(changed), lapsesAtMs)
      return changed
    }, options),
})
