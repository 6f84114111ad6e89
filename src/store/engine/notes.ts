import type { Counter, Notes, Topic } from '../store.ts'
import { placesOf, type Reader, type Scope } from './database.ts'

/** In the order of the names; `undefined` for a missing note. */
async function readNotes(tx: Reader, names: readonly string[]): Promise<unknown[]> {
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

export const notes = (scope: Scope): Notes => ({
  readNotes: (names) => readNotes(scope, names),

  changeNote: (name, change, lapsesAtMs) =>
    scope.write(async (tx) => {
      const [, [known]] = await Promise.all([tx.lock(name), readNotes(tx, [name])])
      const changed = change(known)
      // JSON.stringify(undefined) is undefined.
      const text = JSON.stringify(changed) as string | undefined
      const isNews = isTopic(name) && (known !== undefined || text !== undefined)
      await Promise.all([
        text === undefined ? tx.run(REMOVE, [name]) : tx.run(WRITE, [name, text, lapsesAtMs]),
        isNews && tx.changed(name),
      ])
      return changed
    }),

  addToCounter: (name, by, nowMs, lapsesAtMs) =>
    scope.write(async (tx) => {
      const [counter] = (await tx.all<Counter>(ADD, [name, by, nowMs, lapsesAtMs])) as [Counter]
      return counter
    }),
})

const REMOVE = 'DELETE FROM notes WHERE name = $1'
const WRITE = `INSERT INTO notes (name, value, lapses_at_ms) VALUES ($1, $2, $3)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value, lapses_at_ms = excluded.lapses_at_ms`
/** One that ends later than a new one would was begun before a clock was set back. Two may differ by 5 s. */
const HAS_LAPSED = 'counters.lapses_at_ms <= $3 OR counters.lapses_at_ms > excluded.lapses_at_ms + 5000'
const ADD = `INSERT INTO counters (name, count, lapses_at_ms) VALUES ($1, $2, $4)
  ON CONFLICT (name) DO UPDATE SET
    count = CASE WHEN ${HAS_LAPSED} THEN 0 ELSE counters.count END + excluded.count,
    lapses_at_ms =
      CASE WHEN ${HAS_LAPSED} THEN excluded.lapses_at_ms ELSE counters.lapses_at_ms END
  RETURNING count, lapses_at_ms AS "lapsesAtMs"`
