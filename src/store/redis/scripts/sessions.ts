import { FORMAT, script } from './lua.ts'

/** Ends a session and removes it from the list of its owner. */
export const END_SESSION = `
local function endSession(id)
  local owner = redis.call('HGET', P .. 'session:' .. id, 'owner')
  if owner then redis.call('ZREM', P .. 'owner:' .. owner, id) end
  if forget('session', id) then changed('session ' .. id) end
end
`

export const SESSION_SCRIPTS = {
  readSession: script(`
local row = redis.call('HMGET', P .. 'session:' .. A[1], 'format', 'encrypted', 'endsAtMs', 'owner', 'openedAtMs', 'seenAtMs', 'browser', 'version')
checkFormat(row[1])
return finish(row)`),

  // A is the ids.
  readSessionVersions: script(`
local versions = {}
for nth, id in ipairs(A) do
  local row = redis.call('HMGET', P .. 'session:' .. id, 'format', 'version')
  checkFormat(row[1])
  versions[nth] = row[2]
end
return finish(versions)`),

  // A[1] is the id, A[2] the seen version; then the fields.
  writeSession: script(`
local id, key = A[1], P .. 'session:' .. A[1]
local known = redis.call('HMGET', key, 'format', 'version', 'owner')
checkFormat(known[1])
if tonumber(known[2] or 0) ~= tonumber(A[2]) then return finish(0) end
local fields = { encrypted = A[3], endsAtMs = A[4], owner = A[5], openedAtMs = A[6], seenAtMs = A[7], browser = A[8] }
redis.call('HSET', key, 'format', ${FORMAT}, 'version', A[2] + 1)
for name, value in pairs(fields) do redis.call('HSET', key, name, value) end
lapse('session', id, A[4])
if known[3] and known[3] ~= A[5] then redis.call('ZREM', P .. 'owner:' .. known[3], id) end
redis.call('ZADD', P .. 'owner:' .. A[5], A[6], id)
if known[2] then changed('session ' .. id) end
return finish(1)`),

  endSession: script(END_SESSION, `endSession(A[1]) return finish(1)`),

  listSessions: script(`
local rows = {}
for _, id in ipairs(redis.call('ZRANGE', P .. 'owner:' .. A[1], 0, -1)) do
  local row = redis.call('HMGET', P .. 'session:' .. id, 'endsAtMs', 'openedAtMs', 'seenAtMs', 'browser')
  if row[1] then rows[#rows + 1] = { id, unpack(row) } else redis.call('ZREM', P .. 'owner:' .. A[1], id) end
end
return finish(rows)`),
}
