/** The Lua scripts that decide whether a request is recorded: what is known, and the record if that is known still. */
import { COUNT, GATHER, READINGS, RECORD } from './redis-ledger-lua.ts'
import { script } from './redis-lua.ts'
import { CLAIM, NOTE } from './redis-shared-scripts.ts'

/**
 * `known` answers what an admission is decided on, first of all its print: the same for the same notes, requests in flight and
 * claim, and the same state of the organization, which has a new revision at each change of its rows and readings.
 */
const KNOWN = `
local function known(asked)
  local notes, inFlight = {}, 0
  for nth, name in ipairs(asked.notes) do notes[nth] = readNote(name) end
  for _, kind in ipairs(asked.kinds) do
    inFlight = inFlight + redis.call('ZCOUNT', P .. 'open:' .. kind .. ':' .. asked.token, asked.inFlightSinceMs, '+inf')
  end
  local claim = asked.claim and redis.call('GET', P .. 'claim:' .. asked.claim) or false
  local revision, newest = unpack(redis.call('HMGET', P .. 'ledger:' .. asked.organization, 'revision', 'newestAtMs'))
  local state = stateOf(revision)
  local print = { state, inFlight, claim or '' }
  for _, note in ipairs(notes) do print[#print + 1] = note or '' end
  return { redis.sha1hex(table.concat(print, '\\n')), notes, inFlight, claim, newest, state }
end
-- Where the state is the one that the caller knows, it knows the counts and the reading, too.
local function withCounts(asked, answer)
  if asked.state == answer[6] then return answer end
  local sinces, reading = asked.countedSinceMs, listReadings(asked.organization, 0, 1)[1]
  if reading then sinces[#sinces + 1] = tonumber(reading[3]) + 1 end
  answer[7], answer[8] = gather(asked.organization, sinces), reading or false
  return answer
end
`

const LIBRARY = [COUNT, RECORD, GATHER, READINGS, NOTE, CLAIM, KNOWN]

export const ADMISSION_SCRIPTS = {
  readAdmission: script(
    ...LIBRARY,
    `local asked = cjson.decode(A[1]) return finish(withCounts(asked, known(asked)))`,
  ),

  // A[2] the print of what it was decided on, A[3] the entry, A[4] when the claim lapses or nothing.
  admit: script(
    ...LIBRARY,
    `
local asked = cjson.decode(A[1])
local now = known(asked)
if now[1] ~= A[2] then return finish({ 0, withCounts(asked, now) }) end
local entry = cjson.decode(A[3])
local recorded = record(entry)
if A[4] ~= '' and asked.claim then takeClaim(asked.claim, A[4], A[4]) end
return finish({ 1, recorded })`,
  ),

  // A[1] the organization, A[2] instants, A[3] the state that the caller knows, or nothing.
  gather: script(
    COUNT,
    GATHER,
    `
local state = stateOf(redis.call('HGET', P .. 'ledger:' .. A[1], 'revision'))
if A[3] ~= '' and A[3] == state then return finish({ state }) end
return finish({ state, gather(A[1], cjson.decode(A[2])) })`,
  ),
}
