// Compares the app's count in Redis with the service's count (8.3); docs/redis.md has the names of the keys.
import { createClient } from 'redis'
import { UNPROVEN } from '../../src/store/store.ts'
import { type LedgerCounts, LONGEST_LEASE_MS } from './ledger-check.ts'

type Client = ReturnType<typeof createClient>
const PREFIX = '{plimsoll}:'

export async function connect(url: string): Promise<Client> {
  const client: Client = createClient({ url })
  // Reconnects to a server that a suite has restarted.
  client.on('error', () => {})
  await client.connect()
  return client
}

async function keysOf(client: Client, kind: string): Promise<string[]> {
  const found: string[] = []
  for await (const keys of client.scanIterator({ MATCH: `${PREFIX}${kind}:*`, COUNT: 1000 }))
    found.push(...keys)
  return found
}

/** The rows of the ledger that it has. */
export async function entryIds(client: Client): Promise<Set<string>> {
  const keys = await keysOf(client, 'entry')
  return new Set(keys.map((key) => key.slice(`${PREFIX}entry:`.length)))
}

interface Row {
  organization: string
  kind: string
  outcome?: string
  status?: string
}

async function rowsOf(client: Client): Promise<Row[]> {
  const keys = await keysOf(client, 'entry')
  return Promise.all(keys.map(async (key) => (await client.hGetAll(key)) as unknown as Row))
}

export async function readLedger(client: Client, organization: string): Promise<LedgerCounts> {
  const rows = (await rowsOf(client)).filter(({ kind }) => !kind.startsWith('token'))
  const own = rows.filter((row) => row.organization === organization)
  const isSuccess = ({ status }: Row) => Number(status) >= 200 && Number(status) < 300
  return {
    low: own.filter(isSuccess).length,
    high: own.filter(({ outcome }) => outcome !== 'void').length,
    unproven: rows.filter((row) => row.organization.startsWith(UNPROVEN) && row.outcome !== 'void').length,
  }
}

export const leasesBeyond = (client: Client, nowMs: number): Promise<number> =>
  client.zCount(`${PREFIX}lapses:lease`, `(${nowMs + LONGEST_LEASE_MS}`, '+inf')

export async function dropLeases(client: Client): Promise<void> {
  await client.del([...(await keysOf(client, 'lease')), `${PREFIX}lapses:lease`])
}

// In one step, or a request that is recorded meanwhile would be counted and not listed.
const COUNT_ALL = `
local rows, counted = #redis.call('KEYS', ARGV[1] .. 'entry:*'), 0
for _, key in ipairs(redis.call('KEYS', ARGV[1] .. 'day:*')) do
  for _, count in ipairs(redis.call('HVALS', key)) do counted = counted + tonumber(count) end
end
return { rows, counted }`

/** `ok` if the running counts by day have every row once. */
export async function check(client: Client): Promise<string> {
  const [rows, counted] = (await client.eval(COUNT_ALL, { arguments: [PREFIX] })) as [number, number]
  return counted === rows ? 'ok' : `${rows} rows, ${counted} counted`
}
