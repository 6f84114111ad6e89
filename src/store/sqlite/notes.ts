/** Notes are cached until another connection commits, and parsed again only if changed. */
import { LRUCache } from 'lru-cache'
import type { SqliteDatabase } from './database.ts'
import type { Statements } from './statements.ts'
import type { Notes } from '../store.ts'

/** Recently used notes: enough for all that ten thousand event streams read after each change. */
const MOST_BYTES = 33_554_432
/** Estimated memory of a note, and of each of its characters once it is parsed. */
const BYTES_OF = { note: 400, character: 8 }

interface CachedNote {
  /** Absent if there is no such note. */
  readonly text: string | undefined
  /** The parsed value, once it was requested. */
  note?: unknown
  /** The entry is valid while the connection has the same generation. */
  generation: number
}

/** An unchanged note is the same object: do not change it. All methods throw the errors of reading. */
export class NoteReader {
  readonly #sql: Pick<Statements, 'readNote' | 'readNotes'>
  readonly #generation: () => number
  readonly #known = new LRUCache<string, CachedNote>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ text }) => BYTES_OF.note + BYTES_OF.character * (text?.length ?? 0),
  })

  constructor(sql: Pick<Statements, 'readNote' | 'readNotes'>, generation: () => number) {
    this.#sql = sql
    this.#generation = generation
  }

  read(name: string): unknown {
    const generation = this.#generation()
    const known = this.#known.get(name)
    if (known?.generation === generation) return noteOf(known)
    const [row] = this.#sql.readNote.all<{ value: string }>(name)
    return noteOf(this.#remember(name, row?.value, generation))
  }

  /** In the order of the names. */
  readMany(names: readonly string[]): unknown[] {
    const generation = this.#generation()
    const notes = new Map<string, CachedNote>()
    const unsure: string[] = []
    for (const name of names) {
      const known = this.#known.get(name)
      if (known?.generation === generation) notes.set(name, known)
      else unsure.push(name)
    }
    if (unsure.length > 0) {
      const rows = this.#sql.readNotes.all<{ name: string; value: string }>(JSON.stringify(unsure))
      const texts = new Map(rows.map(({ name, value }) => [name, value]))
      for (const name of unsure) notes.set(name, this.#remember(name, texts.get(name), generation))
      // The cached notes may be older than those that were just read.
      if (unsure.length < names.length && this.#generation() !== generation) return this.readMany(names)
    }
    return names.map((name) => noteOf(notes.get(name) as CachedNote))
  }

  /** Stores a note that this connection has written. @param text absent if it was removed */
  wrote(name: string, text: string | undefined): void {
    this.#remember(name, text, this.#generation())
  }

  #remember(name: string, text: string | undefined, generation: number): CachedNote {
    const before = this.#known.get(name)
    const isSame = before !== undefined && before.text === text
    const known: CachedNote = isSame ? before : { text, generation }
    known.generation = generation
    this.#known.set(name, known)
    return known
  }
}

function noteOf(known: CachedNote): unknown {
  if (known.text === undefined) return undefined
  known.note ??= JSON.parse(known.text)
  return known.note
}

export const notes = (db: SqliteDatabase, sql: Statements, reader: NoteReader): Notes => ({
  async readNote(name) {
    return reader.read(name)
  },
  async readNotes(names) {
    return reader.readMany(names)
  },
  changeNote: (name, change, lapsesAtMs, options) =>
    db.write(() => {
      const changed = change(reader.read(name))
      // JSON.stringify(undefined) is undefined.
      const text = JSON.stringify(changed) as string | undefined
      if (text === undefined) sql.removeNote.run(name)
      else sql.writeNote.run(name, text, lapsesAtMs)
      reader.wrote(name, text)
      const lease = options?.release
      if (lease !== undefined) sql.releaseLease.run(lease.name, lease.fence)
      return changed
    }, options),
})
