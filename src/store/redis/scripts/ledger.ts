import { FORMAT, script } from './lua.ts'
import { COUNT, GATHER, READINGS, RECORD } from './ledger-functions.ts'

/** Counts one list over the requested kinds. */
const COUNT_TOKEN = (list: 'sent' | 'open') => `
local sum = 0
for _, kind in ipairs(cjson.decode(A[2])) do
  sum = sum + redis.call('ZCOUNT', P .. '${list}:' .. kind .. ':' .. A[1], A[3], '+inf')
end
return finish(sum)`

export const LEDGER_SCRIPTS = {
  reserve: script(COUNT, RECORD, `return finish(record(cjson.decode(A[1])))`),

  attribute: script(
    COUNT,
    `
local unproven, organization = A[1], A[2]
if redis.call('EXISTS', P .. 'attribution:' .. unproven) == 1 then return finish(0) end
local ids = redis.call('ZRANGE', P .. 'entries:' .. unproven, 0, -1)
if #ids > 0 and not isUnproven(unproven) then error('PROVEN is what the ledger has: it is append-only', 0) end
redis.call('SET', P .. 'attribution:' .. unproven, organization)
lapse('attribution', unproven, A[3])
for _, id in ipairs(ids) do
  local key = P .. 'entry:' .. id
  local kind, atMs, outcome, status = unpack(redis.call('HMGET', key, 'kind', 'atMs', 'outcome', 'status'))
  atMs = tonumber(atMs)
  redis.call('HSET', key, 'organization', organization)
  redis.call('ZREM', P .. 'entries:' .. unproven, id)
  redis.call('ZREM', P .. 'unproven', id)
  place(organization, id, kind, atMs)
  count(organization, atMs, sortOf(kind, outcome, status), 1)
  count(unproven, atMs, sortOf(kind, outcome, status), -1)
end
redis.call('DEL', P .. 'ledger:' .. unproven)
if #ids > 0 then touch(organization) end
return finish(1)`,
  ),

  listEntries: script(`
local organization, most, first = A[1], tonumber(A[2]), 0
if A[3] == 'after' then
  local rank = redis.call('ZREVRANK', P .. 'entries:' .. organization, A[4])
  if not rank then return finish(false) end
  first = rank + 1
elseif A[4] ~= '+inf' then
  first = redis.call('ZCOUNT', P .. 'entries:' .. organization, A[4], '+inf')
end
local rows = {}
for _, id in ipairs(redis.call('ZREVRANGE', P .. 'entries:' .. organization, first, first + most - 1)) do
  rows[#rows + 1] = { id, unpack(redis.call('HMGET', P .. 'entry:' .. id, 'organization', 'token', 'kind', 'method', 'path',
    'initiator', 'owner', 'atMs', 'outcome', 'status')) }
end
return finish(rows)`),

  // A[1] is the organization, A[2] the instants, A[3] the state that the caller knows, or empty.
  gather: script(
    COUNT,
    GATHER,
    `
local state = stateOf(redis.call('HGET', P .. 'ledger:' .. A[1], 'revision'))
if A[3] ~= '' and A[3] == state then return finish({ state }) end
return finish({ state, gather(A[1], cjson.decode(A[2])) })`,
  ),

  countUnanswered: script(`
local sum = 0
for _, id in ipairs(redis.call('ZRANGEBYSCORE', P .. 'entries:' .. A[1], A[2], A[3])) do
  local settled = redis.call('HGET', P .. 'entry:' .. id, 'settledAtMs')
  if not settled or tonumber(settled) > tonumber(A[3]) then sum = sum + 1 end
end
return finish(sum)`),

  countSent: script(COUNT_TOKEN('sent')),
  countInFlight: script(COUNT_TOKEN('open')),
  // A[1] is the kinds, A[2] the instant; the rest are tokens.
  countEachInFlight: script(`
local kinds, counts = cjson.decode(A[1]), {}
for nth = 3, #A do
  counts[nth - 2] = 0
  for _, kind in ipairs(kinds) do
    counts[nth - 2] = counts[nth - 2] + redis.call('ZCOUNT', P .. 'open:' .. kind .. ':' .. A[nth], A[2], '+inf')
  end
end
return finish(counts)`),

  addReading: script(
    COUNT,
    `
local key = P .. 'reading:' .. A[2]
if redis.call('EXISTS', key) == 1 then error('TWICE is a reading added', 0) end
redis.call('HSET', key, 'format', ${FORMAT}, 'organization', A[1], 'count', A[3], 'readAtMs', A[4], 'inFlight', A[5],
  'monthWasReset', A[6], 'owner', A[7])
local nth = string.format('%012d', redis.call('HINCRBY', KEYS[1], 'readings', 1))
redis.call('HSET', key, 'nth', nth)
redis.call('ZADD', P .. 'readings:' .. A[1], A[4], nth .. ' ' .. A[2])
touch(A[1])
return finish(1)`,
  ),

  listReadings: script(READINGS, `return finish(listReadings(A[1], A[2], A[3]))`),

  removeReading: script(
    COUNT,
    `
local key = P .. 'reading:' .. A[2]
local organization, nth, removed = unpack(redis.call('HMGET', key, 'organization', 'nth', 'removedAtMs'))
if organization ~= A[1] or removed then return finish(0) end
redis.call('HSET', key, 'removedAtMs', A[3])
redis.call('ZREM', P .. 'readings:' .. organization, nth .. ' ' .. A[2])
touch(organization)
return finish(1)`,
  ),
}
