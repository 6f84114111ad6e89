// Fills an opened Redis store with many rows, by scripts that write the same as the app's.
import { createClient } from 'redis'
import { entryId } from '../_fill-sqlite.mjs'

const ROWS_OF_A_CALL = 10_000
const SESSIONS_OF_A_CALL = 500

// A reservation and its settlement, as store/redis/scripts/ledger-functions.ts writes them. A[1] is the
// organization, A[2] and A[3] are the rows, A[4] is the number of all rows, A[5] and A[6] are the first and
// the last instant, A[7] is the pattern of an id.
const LEDGER = `
local P, A, counts = '{plimsoll}:', ARGV, {}
local organization, rows, start, length = A[1], tonumber(A[4]), tonumber(A[5]), tonumber(A[6]) - tonumber(A[5])
local kinds = { [0] = 'token.refresh', 'api.update', 'api.read', 'api.read', 'api.read' }
local function add(key, field, by)
  counts[key] = counts[key] or {}
  counts[key][field] = (counts[key][field] or 0) + by
end
for nth = tonumber(A[2]), tonumber(A[3]) do
  local id, atMs, kind = string.format(A[7], nth, nth), start + math.floor(nth * length / rows), kinds[nth % 5]
  local token, at, owner = string.format('%022d', nth % 50), string.format('%.0f', atMs), string.format('browser %043d', nth % 7)
  local outcome, status = 'settled', nth % 5 == 4 and 429 or 200
  redis.call('HSET', P .. 'entry:' .. id, 'format', 1, 'organization', organization, 'kind', kind, 'method', 'GET', 'path',
    '/organizations/{id}', 'initiator', 'person', 'atMs', at, 'owner', owner, 'token', token, 'settledAtMs', at)
  if nth % 5 == 3 then outcome, status = 'uncertain', nil else redis.call('HSET', P .. 'entry:' .. id, 'status', status) end
  redis.call('HSET', P .. 'entry:' .. id, 'outcome', outcome)
  redis.call('ZADD', P .. 'sent:' .. kind .. ':' .. token, at, id)
  redis.call('ZADD', P .. 'entries:' .. organization, at, id)
  local sort = kind .. ' ' .. outcome .. ' ' .. (status == 200 and 1 or 0)
  local day = string.format('%.0f', atMs - atMs % 86400000)
  add('day:' .. day .. ':' .. organization, sort, 1)
  add('quarters:' .. day .. ':' .. organization, string.format('%.0f', atMs - atMs % 900000) .. ' ' .. sort, 1)
  redis.call('ZADD', P .. 'days:' .. organization, day, day)
  if kind ~= 'token.refresh' then redis.call('HSET', P .. 'ledger:' .. organization, 'newestAtMs', at) end
end
for key, fields in pairs(counts) do
  for field, by in pairs(fields) do redis.call('HINCRBY', P .. key, field, by) end
end
redis.call('HSET', P .. 'ledger:' .. organization, 'revision', 1)
return redis.call('HSET', P .. 'meta', 'revision', 1)`

// Writes a session as store/redis/scripts/sessions.ts does. A session is seven arguments.
const SESSIONS = `
local P = '{plimsoll}:'
for at = 1, #ARGV, 7 do
  local id, encrypted, endsAtMs, owner, openedAtMs, seenAtMs, browser = unpack(ARGV, at, at + 6)
  redis.call('HSET', P .. 'session:' .. id, 'format', 1, 'version', 1, 'encrypted', encrypted, 'endsAtMs', endsAtMs, 'owner', owner,
    'openedAtMs', openedAtMs, 'seenAtMs', seenAtMs, 'browser', browser)
  redis.call('ZADD', P .. 'lapses:session', endsAtMs, id)
  redis.call('ZADD', P .. 'owner:' .. owner, openedAtMs, id)
  redis.call('PEXPIREAT', P .. 'session:' .. id, string.format('%.0f', tonumber(endsAtMs) + 86400000))
end
return 1`

async function call(url, script, calls) {
  const client = await createClient({ url }).connect()
  const keys = ['1', '{plimsoll}:meta']
  for (const args of calls) await client.sendCommand(['EVAL', script, ...keys, ...args.map(String)])
  client.destroy()
}

/** Adds requests of one organization, the same as in SQLite. */
export function fillLedger(url, { organization, rows, startMs, endMs }) {
  const pattern = entryId(0)
    .replace(/0{8}/, '%08d')
    .replace(/0{12}$/, '%012d')
  const calls = Array.from({ length: Math.ceil(rows / ROWS_OF_A_CALL) }, (_, nth) => {
    const last = Math.min(rows, (nth + 1) * ROWS_OF_A_CALL) - 1
    return [organization, nth * ROWS_OF_A_CALL, last, rows, startMs, endMs, pattern]
  })
  return call(url, LEDGER, calls)
}

/** @param sessions `[id, session]` each, as the store gets them */
export function fillSessions(url, sessions) {
  const values = sessions.map(([id, { encrypted, endsAtMs, owner, openedAtMs, seenAtMs, browser }]) => [
    id,
    Buffer.from(encrypted).toString('base64'),
    endsAtMs,
    owner,
    openedAtMs,
    seenAtMs,
    browser,
  ])
  const calls = Array.from({ length: Math.ceil(values.length / SESSIONS_OF_A_CALL) }, (_, nth) =>
    values.slice(nth * SESSIONS_OF_A_CALL, (nth + 1) * SESSIONS_OF_A_CALL).flat(),
  )
  return call(url, SESSIONS, calls)
}

export async function usedMemory(url) {
  const client = await createClient({ url }).connect()
  const info = await client.sendCommand(['INFO', 'memory'])
  client.destroy()
  return Number(/used_memory:(\d+)/.exec(info)[1])
}
