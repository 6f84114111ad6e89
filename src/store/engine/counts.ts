import { DAY_MS } from '../../contract/duration.ts'
import type { KindCount } from '../../contract/month.ts'
import type { DayCount, LedgerCounts } from '../store.ts'
import { LATEST_MS, placesOf, type Scope } from './database.ts'

/** Neither engine gives a boolean here. */
type Row<T extends KindCount> = Omit<T, 'succeeded'> & { succeeded: 0 | 1 }

const withSuccess = <T extends KindCount>(rows: readonly Row<T>[]): T[] =>
  rows.map((row) => ({ ...row, succeeded: row.succeeded === 1 }) as unknown as T)

export const ledgerCounts = (scope: Scope): LedgerCounts => {
  const count = async (sql: string, values: (string | number)[]): Promise<number> => {
    const [row] = await scope.all<{ count: number }>(sql, values)
    return row?.count ?? 0
  }
  return {
    // Whole days from their counts, and the parts of the first and the last day from their rows.
    async countByKind(organization, sinceMs, untilMs = LATEST_MS) {
      const firstMs = Math.ceil(sinceMs / DAY_MS) * DAY_MS
      const endMs = Math.max(firstMs, untilMs - (untilMs % DAY_MS))
      const parts = [sinceMs, Math.min(firstMs, untilMs), firstMs, endMs, untilMs]
      return withSuccess(await scope.all<Row<KindCount>>(BY_KIND, [organization, ...parts]))
    },
    countByDay: async (organization, sinceMs) =>
      withSuccess(await scope.all<Row<DayCount>>(BY_DAY, [organization, sinceMs - (sinceMs % DAY_MS)])),
    countBySender: async (organization, sinceMs) =>
      withSuccess(await scope.all<Row<KindCount & { sender: string }>>(BY_SENDER, [organization, sinceMs])),
    countUnanswered: (organization, sinceMs, atMs) => count(UNANSWERED, [organization, sinceMs, atMs]),
    countSent: (token, kinds, sinceMs) =>
      count(
        `SELECT count(*) AS count FROM requests
          WHERE token = $1 AND at_ms >= $2 AND kind IN (${placesOf(kinds, 2)})`,
        [token, sinceMs, ...kinds],
      ),
    async countInFlight(tokens, kinds, sinceMs, untilMs = LATEST_MS) {
      const rows = await scope.all<{ token: string; count: number }>(
        `SELECT token, count(*) AS count FROM requests WHERE outcome = 'reserved'
          AND at_ms BETWEEN $1 AND $2 AND token IN (${placesOf(tokens, 2)})
          AND kind IN (${placesOf(kinds, 2 + tokens.length)}) GROUP BY token`,
        [sinceMs, untilMs, ...tokens, ...kinds],
      )
      const counts = new Map(rows.map(({ token, count }) => [token, count]))
      return tokens.map((token) => counts.get(token) ?? 0)
    },
  }
}

/** Of a request: 1 for a status of success. */
const SUCCEEDED = 'CASE WHEN status BETWEEN 200 AND 299 THEN 1 ELSE 0 END'

const rowsBetween = (since: string, until: string): string => `
    SELECT kind, outcome, ${SUCCEEDED}, 1 FROM requests
      WHERE organization = $1 AND at_ms >= ${since} AND at_ms < ${until}`
const BY_KIND = `SELECT kind, outcome, succeeded, sum(count) AS count FROM (
    SELECT kind, outcome, succeeded, count FROM day_counts
      WHERE organization = $1 AND day_ms >= $4 AND day_ms < $5
    UNION ALL ${rowsBetween('$2', '$3')}
    UNION ALL ${rowsBetween('$5', '$6')}
  ) AS counted GROUP BY kind, outcome, succeeded HAVING sum(count) <> 0`
const BY_SENDER = `SELECT coalesce(owner, '') AS sender, kind, outcome, ${SUCCEEDED} AS succeeded,
    count(*) AS count
  FROM requests WHERE organization = $1 AND at_ms >= $2 GROUP BY 1, 2, 3, 4`
const BY_DAY = `SELECT day_ms AS "startMs", kind, outcome, succeeded, count FROM day_counts
  WHERE organization = $1 AND day_ms >= $2 AND count <> 0 ORDER BY day_ms DESC, kind, outcome, succeeded`
const UNANSWERED = `SELECT count(*) AS count FROM requests
  WHERE organization = $1 AND at_ms >= $2 AND at_ms <= $3
  AND (settled_at_ms IS NULL OR settled_at_ms > $3)`
