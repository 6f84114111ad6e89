import type { Notes, Topic } from '../store.ts'
import { type Database, placesOf, type Reader } from './database.ts'
import type { Watch } from './watch.ts'

/** In the order of the names; `undefined` for a missing note. */
export async function readNotes(tx: Reader, names: readonly string[]): Promise<unknown[]> {
  if (names.length === 0) return []
  const rows = await tx.all<{ name: string; value: string }>(
    `SELECT name, value FROM notes WHERE name IN (${placesOf(names)})`,
    names,
  )
  const values = new Map(rows.map(({ name, value }) => [name, value]))
  return names.map((name) => {
    const value = values.get(name)
    return value === undefined ? undefined : (JSON.parse(value) as unknown)
  })
}

const isTopic = (name: string): name is Topic => /^(?:organization|token|service) /.test(name)

export const notes = (db: Database, watch: Watch): Notes => ({
  readNote: async (name) => (await readNotes(db, [name]))[0],
  readNotes: (names) => readNotes(db, names),

  changeNote: (name, change, lapsesAtMs, options) =>
    watch.write(async (tx) => {
      await tx.lock(name)
      const [known] = await readNotes(tx, [name])
      const changed = change(known)
      // JSON.stringify(undefined) is undefined.
      const text = JSON.stringify(changed) as string | undefined
      if (text !== undefined) await tx.run(WRITE, [name, text, lapsesAtMs])
      else await tx.run('DELETE FROM notes WHERE name = $1', [name])
      if (isTopic(name) && (known !== undefined || text !== undefined)) await tx.changed(name)
      const lease = options?.release
      if (lease) await tx.run('DELETE FROM leases WHERE name = $1 AND fence = $2', [lease.name, lease.fence])
      return changed
    }),
})

const WRITE = `INSERT INTO notes (name, value, lapses_at_ms) VALUES ($1, $2, $3)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value, lapses_at_ms = excluded.lapses_at_ms`
