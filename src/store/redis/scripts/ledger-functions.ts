/** Lua functions that the ledger scripts share. */
import { FORMAT } from './lua.ts'
import { UNPROVEN } from '../../store.ts'

/**
 * Running counts for each sort (kind, outcome, success), by day of UTC and quarter of an hour. `touch` gives
 * an organization a unique revision, so that decisions on the old one are detected; it answers the state
 * before and after. A state is epoch and revision: one from before a data loss never matches.
 */
export const COUNT = `
local function isUnproven(name) return string.sub(name, 1, ${UNPROVEN.length}) == '${UNPROVEN}' end
local function stateOf(revision) return revision and meta[2] .. ' ' .. revision or '' end
local function touch(organization)
  local key = P .. 'ledger:' .. organization
  local before = redis.call('HGET', key, 'revision')
  local after = string.format('%.0f', redis.call('HINCRBY', KEYS[1], 'revision', 1))
  redis.call('HSET', key, 'revision', after)
  changed('organization ' .. organization)
  return stateOf(before), stateOf(after)
end
local function addCount(key, field, by)
  if redis.call('HINCRBY', key, field, by) == 0 then redis.call('HDEL', key, field) end
end
local function count(organization, atMs, sort, by)
  local day = string.format('%.0f', atMs - atMs % DAY)
  local days, key = P .. 'days:' .. organization, P .. 'day:' .. day .. ':' .. organization
  addCount(key, sort, by)
  addCount(P .. 'quarters:' .. day .. ':' .. organization, string.format('%.0f', atMs - atMs % QUARTER) .. ' ' .. sort, by)
  if by > 0 then
    redis.call('ZADD', days, day, day)
  elseif redis.call('EXISTS', key) == 0 then
    redis.call('ZREM', days, day)
  end
end
local function sortOf(kind, outcome, status)
  local succeeded = status and tonumber(status) >= 200 and tonumber(status) <= 299
  return kind .. ' ' .. (outcome or 'reserved') .. ' ' .. (succeeded and 1 or 0)
end
local function setNewest(organization, kind, atMs)
  if string.sub(kind, 1, 6) == 'token.' then return end
  local key = P .. 'ledger:' .. organization
  if atMs > tonumber(redis.call('HGET', key, 'newestAtMs') or '-inf') then redis.call('HSET', key, 'newestAtMs', atMs) end
end
local function place(organization, id, kind, atMs)
  redis.call('ZADD', P .. 'entries:' .. organization, atMs, id)
  if isUnproven(organization) then redis.call('ZADD', P .. 'unproven', atMs, id) end
  setNewest(organization, kind, atMs)
end
`

/** Records an entry, or fails if its id exists. */
export const RECORD = `
local function record(entry)
  local key = P .. 'entry:' .. entry.id
  if redis.call('EXISTS', key) == 1 then error('TWICE is an entry written down', 0) end
  local organization = redis.call('GET', P .. 'attribution:' .. entry.organization) or entry.organization
  redis.call('HSET', key, 'format', ${FORMAT}, 'organization', organization, 'kind', entry.kind, 'method', entry.method,
    'path', entry.path, 'initiator', entry.initiator, 'atMs', entry.atMs)
  if entry.owner then redis.call('HSET', key, 'owner', entry.owner) end
  if entry.token then
    redis.call('HSET', key, 'token', entry.token)
    for _, list in ipairs({ 'sent:', 'open:' }) do
      redis.call('ZADD', P .. list .. entry.kind .. ':' .. entry.token, entry.atMs, entry.id)
    end
  end
  place(organization, entry.id, entry.kind, entry.atMs)
  count(organization, entry.atMs, sortOf(entry.kind), 1)
  return { organization, touch(organization) }
end
`

/**
 * Records the outcome of an entry. Returns the organization, time, both sorts, and the states before and
 * after; false if it was settled before or does not exist.
 */
export const SETTLE = `
local function settle(one)
  local key = P .. 'entry:' .. one.id
  local organization, kind, atMs, token, outcome, format = unpack(redis.call('HMGET', key, 'organization', 'kind', 'atMs', 'token', 'outcome', 'format'))
  checkFormat(format)
  if not organization or outcome then return false end
  redis.call('HSET', key, 'outcome', one.outcome, 'settledAtMs', one.atMs)
  if one.status then redis.call('HSET', key, 'status', one.status) end
  if token then redis.call('ZREM', P .. 'open:' .. kind .. ':' .. token, one.id) end
  local sort = sortOf(kind, one.outcome, one.status)
  count(organization, tonumber(atMs), sort, 1)
  count(organization, tonumber(atMs), sortOf(kind), -1)
  return { organization, atMs, sortOf(kind), sort, touch(organization) }
end
`

/**
 * Returns the whole days from the earliest instant on with their counts, and for each instant the rest of its
 * day: its whole quarters of an hour, and the rows before the first of them.
 */
export const GATHER = `
local function restOfDay(organization, since)
  local sums, counts, from = {}, {}, math.ceil(since / QUARTER) * QUARTER
  if since % DAY == 0 then return counts end
  local function add(sort, by) sums[sort] = (sums[sort] or 0) + by end
  local quarters = redis.call('HGETALL', P .. 'quarters:' .. string.format('%.0f', since - since % DAY) .. ':' .. organization)
  for at = 1, #quarters, 2 do
    local space = string.find(quarters[at], ' ', 1, true)
    if tonumber(string.sub(quarters[at], 1, space - 1)) >= from then add(string.sub(quarters[at], space + 1), quarters[at + 1]) end
  end
  if from > since then
    for _, id in ipairs(redis.call('ZRANGEBYSCORE', P .. 'entries:' .. organization, since, '(' .. string.format('%.0f', from))) do
      add(sortOf(unpack(redis.call('HMGET', P .. 'entry:' .. id, 'kind', 'outcome', 'status'))), 1)
    end
  end
  -- Answer sums, so that the answer does not grow with the requests of the day.
  for sort, sum in pairs(sums) do
    counts[#counts + 1] = sort
    counts[#counts + 1] = string.format('%.0f', sum)
  end
  return counts
end
local function gather(organization, sinces)
  local days, rests, earliest = {}, {}, math.huge
  for nth, since in ipairs(sinces) do
    rests[nth] = restOfDay(organization, since)
    earliest = math.min(earliest, since)
  end
  if #sinces > 0 then
    for _, day in ipairs(redis.call('ZRANGEBYSCORE', P .. 'days:' .. organization, earliest - earliest % DAY, '+inf')) do
      days[#days + 1] = { day, redis.call('HGETALL', P .. 'day:' .. day .. ':' .. organization) }
    end
  end
  return { days, rests }
end
`

/** The readings of an organization, the latest first. */
export const READINGS = `
local function listReadings(organization, since, most)
  local rows = {}
  for _, member in ipairs(redis.call('ZREVRANGEBYSCORE', P .. 'readings:' .. organization, '+inf', since, 'LIMIT', 0, most)) do
    local id = string.match(member, '^%d+ (.*)$')
    rows[#rows + 1] = { id, unpack(redis.call('HMGET', P .. 'reading:' .. id, 'count', 'readAtMs', 'inFlight', 'monthWasReset', 'owner')) }
  end
  return rows
end
`
