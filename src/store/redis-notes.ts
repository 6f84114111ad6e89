/** Notes in Redis: small JSON values, changed by comparing and setting. */
import { Problem } from '../contract/problem.ts'
import type { Connection } from './redis-connection.ts'
import type { Queue } from './redis-queue.ts'
import { NOTE_FORMAT, SHARED_SCRIPTS } from './redis-shared-scripts.ts'
import type { Store } from './store.ts'

/** Each time another process was faster, so all of them together make progress. */
const MOST_TRIES = 200

/** The value of a note as it is stored, behind its format. */
export const noteOf = (stored: string | null): unknown =>
  stored === null ? undefined : JSON.parse(stored.slice(stored.indexOf(' ') + 1))

export function notes(
  { run }: Connection,
  queue: Queue,
): Pick<Store, 'readNote' | 'readNotes' | 'changeNote'> {
  const read = async (name: string) => (await run(SHARED_SCRIPTS.readNote, name)) as string | null
  return {
    async readNote(name) {
      return noteOf(await read(name))
    },
    async readNotes(names) {
      return ((await run(SHARED_SCRIPTS.readNotes, ...names)) as (string | null)[]).map(noteOf)
    },
    changeNote: (name, change, lapsesAtMs) =>
      queue.run(`note ${name}`, async () => {
        let known = await read(name)
        for (let tries = 0; tries < MOST_TRIES; tries += 1) {
          const changed = change(noteOf(known))
          const value = changed === undefined ? '' : NOTE_FORMAT + JSON.stringify(changed)
          const [isChanged, now] = (await run(
            SHARED_SCRIPTS.changeNote,
            name,
            known ?? '',
            value,
            lapsesAtMs,
          )) as [number, string | null]
          if (isChanged === 1) return changed
          known = now
        }
        throw new Problem('store_unavailable', { cause: new Error(`others were faster ${MOST_TRIES} times`) })
      }),
  }
}
