/** Small JSON values, changed by compare-and-set. */
import { LRUCache } from 'lru-cache'
import { Problem } from '../../contract/problem.ts'
import type { Connection } from './connection.ts'
import type { Queue } from './queue.ts'
import { NOTE_FORMAT, NOTE_SCRIPTS } from './scripts/notes.ts'
import type { Notes } from '../store.ts'

/** Another process was faster each time, so together the processes make progress. */
const MOST_TRIES = 200
/** Recently used notes. */
const MOST_KNOWN = 10_000

/** The notes as this process last saw them. They may be outdated, so they decide nothing alone. */
export class NoteCache {
  readonly #known = new LRUCache<string, { stored: string | null; note: unknown }>({ max: MOST_KNOWN })

  /** The stored text as last seen; null if there was none, or it was never seen. */
  stored(name: string): string | null {
    return this.#known.get(name)?.stored ?? null
  }

  /** The value in a stored text, after its format. The same text gives the same object. */
  parse(name: string, stored: string | null): unknown {
    const known = this.#known.get(name)
    if (known?.stored === stored) return known.note
    const note: unknown = stored === null ? undefined : JSON.parse(stored.slice(stored.indexOf(' ') + 1))
    this.#known.set(name, { stored, note })
    return note
  }
}

export const notes = ({ run }: Connection, queue: Queue, cache: NoteCache): Notes => ({
  async readNote(name) {
    return cache.parse(name, (await run(NOTE_SCRIPTS.readNote, name)) as string | null)
  },
  async readNotes(names) {
    const stored = (await run(NOTE_SCRIPTS.readNotes, ...names)) as (string | null)[]
    return names.map((name, nth) => cache.parse(name, stored[nth] ?? null))
  },
  changeNote: (name, change, lapsesAtMs, { release } = {}) =>
    queue.run(`note ${name}`, async () => {
      // If the note has changed, the answer has its new text: as many round trips as reading it first.
      let stored = cache.stored(name)
      for (let tries = 0; tries < MOST_TRIES; tries += 1) {
        const changed = change(cache.parse(name, stored))
        const value = changed === undefined ? '' : NOTE_FORMAT + JSON.stringify(changed)
        const [isChanged, now] = (await run(
          NOTE_SCRIPTS.changeNote,
          name,
          stored ?? '',
          value,
          lapsesAtMs,
          ...(release ? [release.name, release.fence] : []),
        )) as [number, string | null]
        cache.parse(name, isChanged === 1 ? value || null : now)
        if (isChanged === 1) return changed
        stored = now
      }
      throw new Problem('store_unavailable', {
        cause: new Error(`other processes were faster ${MOST_TRIES} times`),
      })
    }),
})
