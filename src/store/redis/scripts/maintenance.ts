/** The sweep, and the recovery after a data loss. */
import { COUNT } from './ledger-functions.ts'
import { FORMAT, script, uncheckedScript } from './lua.ts'
import { NOTE } from './notes.ts'
import { END_SESSION } from './sessions.ts'

/** Limit for each kind of record in one call of a sweep, so that other scripts do not wait for long. */
const MOST = 200

export const MAINTENANCE_SCRIPTS = {
  // A[1] is now by our clock, A[3] the instant up to which an answer of the service agrees; A[2] and A[4] are
  // an hour before. Answers the number of removed records.
  sweep: script(
    COUNT,
    END_SESSION,
    NOTE,
    `
local sum = 0
local function lapsed(key, atMs)
  local names = redis.call('ZRANGEBYSCORE', P .. key, '-inf', atMs, 'LIMIT', 0, ${MOST})
  sum = sum + #names
  return ipairs(names)
end
for _, id in lapsed('lapses:session', A[3]) do endSession(id) end
for _, name in lapsed('lapses:note', A[3]) do if forget('note', name) then changedNote(name) end end
for kind, atMs in pairs({ claim = A[1], counter = A[1], lease = A[2], attribution = A[3] }) do
  for _, name in lapsed('lapses:' .. kind, atMs) do forget(kind, name) end
end
for _, id in lapsed('unproven', A[4]) do
  local key = P .. 'entry:' .. id
  local organization, kind, atMs, token, outcome, status = unpack(redis.call('HMGET', key, 'organization', 'kind', 'atMs', 'token', 'outcome', 'status'))
  redis.call('ZREM', P .. 'unproven', id)
  if organization then
    count(organization, tonumber(atMs), sortOf(kind, outcome, status), -1)
    redis.call('ZREM', P .. 'entries:' .. organization, id)
    for _, list in ipairs({ 'sent:', 'open:' }) do
      if token then redis.call('ZREM', P .. list .. kind .. ':' .. token, id) end
    end
    redis.call('DEL', key)
    if redis.call('EXISTS', P .. 'entries:' .. organization) == 0 then redis.call('DEL', P .. 'ledger:' .. organization) end
  end
end
return finish(sum)`,
  ),

  // ARGV: known epoch, seen version, origin, a new epoch, seen fence. Answers the epoch.
  adopt: uncheckedScript(`
local epoch, seen = meta[2], tonumber(ARGV[2])
local isLost = not epoch or (ARGV[1] ~= '' and epoch ~= ARGV[1])
-- If the epoch has changed, another process has noticed the loss already.
if not epoch or (version < seen and epoch == ARGV[1]) then
  epoch, isLost = ARGV[4], true
  redis.call('HSET', KEYS[1], 'format', ${FORMAT}, 'epoch', epoch)
end
if isLost then
  local fence = tonumber(redis.call('HGET', KEYS[1], 'fence') or 0)
  -- A process that has seen nothing leaves the first number to the first change.
  version = math.max(version, seen) + (ARGV[1] == '' and 0 or 1)
  redis.call('HSET', KEYS[1], 'version', string.format('%.0f', version), 'fence', string.format('%.0f', math.max(fence, tonumber(ARGV[5]))))
end
return { version, {}, epoch }`),

  // A[1] is the organization, A[2] the time of its newest request, A[3] the counts that this process has
  // seen, by day and sort, settled sorts first.
  restore: script(
    COUNT,
    `
local organization, newest, added = A[1], tonumber(A[2]), 0
for _, row in ipairs(cjson.decode(A[3])) do
  local day, seen, missing = row[1], row[2], {}
  local key = P .. 'day:' .. string.format('%.0f', day) .. ':' .. organization
  local stored = redis.call('HGETALL', key)
  local atMs = math.max(day, math.min(newest, day + DAY - 1))
  for at = 1, #stored, 2 do
    local kind = string.match(stored[at], '^%S+')
    missing[kind] = (missing[kind] or 0) - tonumber(stored[at + 1])
  end
  for _, sort in ipairs(seen) do
    local kind = string.match(sort[1], '^%S+')
    missing[kind] = (missing[kind] or 0) + sort[2]
  end
  for _, sort in ipairs(seen) do
    local kind = string.match(sort[1], '^%S+')
    local by = math.min(missing[kind], sort[2] - tonumber(redis.call('HGET', key, sort[1]) or 0))
    if by > 0 then
      count(organization, atMs, sort[1], by)
      setNewest(organization, kind, math.max(day, math.min(newest, day + DAY - 1)))
      missing[kind] = missing[kind] - by
      added = added + by
    end
  end
end
if added > 0 then touch(organization) end
return finish(added)`,
  ),
}
