// Calculates from measurements and assumptions: an organization's bytes, the first limit, a month's cost.
import { table } from '../speed/table.mjs'
import { CODE, MOST_USED, ORGANIZATION, PRICES, SERVICE_SECONDS } from './assumptions.mjs'

const GIGA = 1e9
const MONTH_SECONDS = 30.4 * 86_400
/** Rows stay for three months at most, days for the other nine. */
const [MONTHS_OF_ROWS, MONTHS_OF_DAYS] = [3, 9]

const { requestsAMonth, workdaysAMonth, hoursADay, peak, sessions, tokensPerRequest, pages } = ORGANIZATION
const rows = MONTHS_OF_ROWS * requestsAMonth
const days = MONTHS_OF_DAYS * workdaysAMonth
const notes = 1 + (tokensPerRequest * requestsAMonth * 40) / 30
/** Paid requests a second of one organization at the busiest second. */
const paidAtPeak = (peak * requestsAMonth) / (workdaysAMonth * hoursADay * 3600)

const number = (value, digits = 0) => value.toLocaleString('en', { maximumFractionDigits: digits })
const rounded = (value) => number(Number(value.toPrecision(2)))

const bytesOf = ({ row, day, note, session }) => ({
  'rows of the ledger': { count: rows, each: row },
  'folded days': { count: days, each: day },
  sessions: { count: sessions, each: session },
  notes: { count: notes, each: note },
})
const sumOf = (bytes) => Object.values(bytes).reduce((sum, { count, each }) => sum + count * each, 0)

export function bytesTable({ SQLite, Redis }) {
  const [sqlite, redis] = [bytesOf(SQLite), bytesOf(Redis)]
  const line = (name) => [
    name,
    number(sqlite[name].count),
    ...[sqlite[name].each, redis[name].each].map((value) => number(value)),
    ...[sqlite, redis].map((of) => number(of[name].count * of[name].each)),
  ]
  const sums = ['all', '', '', '', ...[sqlite, redis].map((of) => number(sumOf(of)))]
  return table(
    [
      'of one organization',
      'how many',
      'SQLite, bytes each',
      'Redis, bytes each',
      'SQLite, bytes',
      'Redis, bytes',
    ],
    [...Object.keys(sqlite).map(line), sums],
  )
}

/** The measured rate, or the rate that its sockets allow given the service's answer time. */
const paidOfAProcess = (measured) => Math.min(measured, CODE.upstreamSockets / SERVICE_SECONDS)
const perMonth = (perSweep) => (perSweep * MONTH_SECONDS) / CODE.sweepSeconds

/** The number of organizations at which each limit is reached, and the consequence. */
export function limitsOf({ bytes, paid, engineUs, streams }) {
  const redisBytes = (PRICES.redis.gigabytes * GIGA) / 2
  // A step checks so many keys, or folds so many rows of one of them.
  const keys = rows + days + notes + sessions + 3 * workdaysAMonth
  const steps = keys / CODE.redisKeysOfAStep + requestsAMonth / CODE.redisRowsOfAStep
  return [
    [
      'a process: its sockets to the service',
      (MOST_USED * CODE.upstreamSockets) / SERVICE_SECONDS / paidAtPeak,
      'another process',
    ],
    [
      'a process: its core, over SQLite',
      (MOST_USED * paid.SQLite) / paidAtPeak,
      'another process on another core',
    ],
    [
      'a process: its core, over Redis',
      (MOST_USED * paid.Redis) / paidAtPeak,
      'another process on another core',
    ],
    [`a process: ${number(streams)} streams`, streams / pages, 'another process'],
    ['SQLite: the fold', perMonth(CODE.sqliteRowsOfASweep) / requestsAMonth, 'the file grows without end'],
    ['Redis: its memory', redisBytes / sumOf(bytesOf(bytes.Redis)), 'another Redis: a cell'],
    ['Redis: its one core', (MOST_USED * 1e6) / engineUs / paidAtPeak, 'another Redis: a cell'],
    ['Redis: the fold', perMonth(CODE.redisStepsOfASweep) / steps, 'rows stay for a month longer, then two'],
  ]
}

export const limitsTable = (limits) =>
  table(
    ['what is used up', 'at so many organizations', 'beyond it'],
    limits.toSorted(([, a], [, b]) => a - b).map(([what, count, beyond]) => [what, rounded(count), beyond]),
  )

/** The cost of a month over Redis for so many organizations. */
function costOf(count, { bytes, paid, limits }) {
  const paidPerSecond = count * paidAtPeak
  const byPaid = paidPerSecond / (MOST_USED * paidOfAProcess(paid.Redis))
  const byStreams = count / limits.find(([what]) => what.endsWith('streams'))[1]
  // One more than needed, so that one may fail.
  const processes = Math.ceil(Math.max(byPaid, byStreams)) + 1
  const smallest = Math.min(
    ...limits.filter(([, , beyond]) => beyond.endsWith('cell')).map(([, most]) => most),
  )
  const cells = Math.ceil(count / smallest)
  const gigabytes = (count * sumOf(bytesOf(bytes.Redis))) / GIGA
  // Each Redis has a replica, and each cell has at least two machines for its processes.
  const apps = Math.max(2 * cells, Math.ceil(processes / PRICES.app.cores))
  // The file may be twice as large as the data in memory.
  const disks = 2 * 2 * gigabytes * PRICES.diskGigabyte
  const dollars =
    apps * PRICES.app.dollars + 2 * cells * PRICES.redis.dollars + disks + cells * PRICES.loadBalancer
  return { paidPerSecond, pages: count * pages, processes, gigabytes, cells, dollars }
}

/** As {@link costOf}, over SQLite: one machine, or `undefined` if one cannot carry them. */
function costOverSqlite(count, { bytes, limits }) {
  const gigabytes = (count * sumOf(bytesOf(bytes.SQLite))) / GIGA
  const isBeyond = limits.some(([what, most]) => what.includes('SQLite') && count > most)
  return {
    gigabytes,
    dollars: isBeyond ? undefined : PRICES.app.dollars + 2 * gigabytes * PRICES.diskGigabyte,
  }
}

export const costTable = (counts, measured) =>
  table(
    [
      'organizations',
      'paid reads/s, busiest',
      'open pages',
      'processes',
      'Redis, GB',
      'cells',
      'over Redis, $ a month',
      'SQLite, GB',
      'over SQLite, $ a month',
    ],
    counts.map((count) => {
      const redis = costOf(count, measured)
      const sqlite = costOverSqlite(count, measured)
      return [
        number(count),
        number(redis.paidPerSecond, 1),
        number(redis.pages),
        redis.processes,
        number(redis.gigabytes, 1),
        redis.cells,
        rounded(redis.dollars),
        number(sqlite.gigabytes, 1),
        sqlite.dollars === undefined ? 'too many for one' : rounded(sqlite.dollars),
      ]
    }),
  )
