/** Notes in Redis: small JSON values, changed by comparing and setting. */
import { LRUCache } from 'lru-cache'
import { Problem } from '../../contract/problem.ts'
import type { Connection } from './connection.ts'
import type { Queue } from './queue.ts'
import { NOTE_FORMAT, NOTE_SCRIPTS } from './scripts/notes.ts'
import type { Notes } from '../store.ts'

/** Each time another process was faster, so all of them together make progress. */
const MOST_TRIES = 200
/** Of those that were used last. */
const MOST_KNOWN = 10_000

/** What notes were when this process saw them last. They may have changed since, so nothing is decided by it. */
export class NoteCache {
  readonly #known = new LRUCache<string, { stored: string | null; note: unknown }>({ max: MOST_KNOWN })

  /** As it was stored last; null where it was not, or was never seen. */
  stored(name: string): string | null {
    return this.#known.get(name)?.stored ?? null
  }

  /** The value of a note as it is stored now, behind its format: the same object as before where it is the same. */
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
      // Where it was changed since, the answer has what it is now: as many round trips as to read it first.
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
      throw new Problem('store_unavailable', { cause: new Error(`others were faster ${MOST_TRIES} times`) })
    }),
})
