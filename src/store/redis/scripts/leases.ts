/** The Lua scripts of claims, leases, counters and notes. */
import { FORMAT, script } from './lua.ts'

/** Takes a claim where it is free at an instant. */
export const CLAIM = `
local function takeClaim(name, nowMs, lapsesAtMs)
  local lapses = redis.call('GET', P .. 'claim:' .. name)
  if lapses and tonumber(lapses) > tonumber(nowMs) then return 0 end
  redis.call('SET', P .. 'claim:' .. name, lapsesAtMs)
  lapse('claim', name, lapsesAtMs)
  return 1
end
`

const LEASE = `
local function releaseLease(name, fence)
  if redis.call('HGET', P .. 'lease:' .. name, 'fence') == fence then forget('lease', name) end
end
`

/** A note is its format, a space, and its JSON, so that whether it was changed is one comparison. */
export const NOTE = `
local function readNote(name)
  local note = redis.call('GET', P .. 'note:' .. name)
  if note then checkFormat(string.match(note, '^%d+')) end
  return note
end
local function changedNote(name)
  local kind = string.match(name, '^%a+ ')
  if kind == 'organization ' or kind == 'token ' or kind == 'service ' then changed(name) end
end
`
export const NOTE_FORMAT = `${FORMAT} `

export const SHARED_SCRIPTS = {
  readVersion: script(`return finish(version)`),

  claim: script(CLAIM, `return finish(takeClaim(A[1], A[2], A[3]))`),

  acquireLease: script(`
local key = P .. 'lease:' .. A[1]
local lapses = redis.call('HGET', key, 'lapsesAtMs')
if lapses and tonumber(lapses) > tonumber(A[2]) then return finish(0) end
local fence = redis.call('HINCRBY', KEYS[1], 'fence', 1)
redis.call('HSET', key, 'fence', fence, 'lapsesAtMs', A[3])
lapse('lease', A[1], A[3])
return finish(fence)`),

  renewLease: script(`
local key = P .. 'lease:' .. A[1]
if redis.call('HGET', key, 'fence') ~= A[2] then return finish(0) end
redis.call('HSET', key, 'lapsesAtMs', A[3])
lapse('lease', A[1], A[3])
return finish(1)`),

  releaseLease: script(LEASE, `releaseLease(A[1], A[2]) return finish(1)`),

  addToCounter: script(`
local key = P .. 'counter:' .. A[1]
local lapses = redis.call('HGET', key, 'lapsesAtMs')
if not lapses or tonumber(lapses) <= tonumber(A[3]) then
  lapses = A[4]
  redis.call('HSET', key, 'count', 0, 'lapsesAtMs', lapses)
  lapse('counter', A[1], lapses)
end
return finish({ redis.call('HINCRBY', key, 'count', A[2]), lapses })`),

  removeCounter: script(`forget('counter', A[1]) return finish(1)`),

  readNote: script(NOTE, `return finish(readNote(A[1]))`),

  readNotes: script(
    NOTE,
    `
local notes = {}
for nth, name in ipairs(A) do notes[nth] = readNote(name) end
return finish(notes)`,
  ),

  // A[2] is what it has to be still, and A[3] what it becomes; empty where there is none. A[5] and A[6] are a lease to be given back, or absent.
  changeNote: script(
    NOTE,
    LEASE,
    `
local note = readNote(A[1])
if (note or '') ~= A[2] then return finish({ 0, note }) end
if A[3] ~= '' then
  redis.call('SET', P .. 'note:' .. A[1], A[3])
  lapse('note', A[1], A[4])
  changedNote(A[1])
elseif forget('note', A[1]) then
  changedNote(A[1])
end
if A[5] then releaseLease(A[5], A[6]) end
return finish({ 1, false })`,
  ),
}
