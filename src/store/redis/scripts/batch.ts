/** The Lua script of a batch: settles requests, and records new ones whose decisions still hold. */
import { COUNT, GATHER, READINGS, RECORD, SETTLE } from './ledger-functions.ts'
import { script } from './lua.ts'
import { NOTE } from './notes.ts'
import { CLAIM } from './leases.ts'

/**
 * Compares the ledger's state once, and the other facts of a decision (notes, requests in flight, claim) by
 * their digest `print`. After a mismatch it records nothing more: later decisions build on it.
 */
const ADMIT = `
local function ownOf(one)
  local notes, inFlight = {}, 0
  for nth, name in ipairs(one.notes) do notes[nth] = readNote(name) end
  for _, kind in ipairs(one.kinds) do
    inFlight = inFlight + redis.call('ZCOUNT', P .. 'open:' .. kind .. ':' .. one.token, one.inFlightSinceMs, '+inf')
  end
  local claim = one.claim and redis.call('GET', P .. 'claim:' .. one.claim) or false
  local print = { inFlight, claim or '' }
  for _, note in ipairs(notes) do print[#print + 1] = note or '' end
  return redis.sha1hex(table.concat(print, '\\n')), { notes, inFlight, claim }
end
local function admit(one, isExpected)
  local print, own = ownOf(one)
  if not isExpected or print ~= one.print then return { 0, own } end
  local recorded = record(one.entry)
  if one.lapsesAtMs and one.claim then takeClaim(one.claim, one.lapsesAtMs, one.lapsesAtMs) end
  return { 1, recorded }
end
`

/**
 * A[1] is JSON: the organization, the state that the caller knows, instants, settlements, and admissions. An
 * admission without `print` only reads. Answers a result for each item, of which one may fail alone, then the
 * new state of the ledger, and its counts if the caller does not know them.
 */
export const BATCH = script(
  COUNT,
  RECORD,
  SETTLE,
  GATHER,
  READINGS,
  NOTE,
  CLAIM,
  ADMIT,
  `
local asked = cjson.decode(A[1])
local organization, sinces = asked.organization, asked.countedSinceMs
local key = P .. 'ledger:' .. organization
local isKnown = stateOf(redis.call('HGET', key, 'revision')) == asked.state
local isExpected, settled, admitted = isKnown, {}, {}
local function attempt(work, ...)
  local isDone, result = pcall(work, ...)
  return isDone and result or isDone == false and { -1, type(result) == 'table' and result.err or result }
end
for nth, one in ipairs(asked.settlements) do
  settled[nth] = attempt(settle, one)
  isExpected = isExpected and settled[nth] and settled[nth][1] == organization
end
for nth, one in ipairs(asked.admissions) do
  local answer = attempt(admit, one, isExpected)
  admitted[nth] = answer
  if one.print then isExpected = isExpected and answer[1] == 1 and answer[2][1] == organization end
end
local revision, newest = unpack(redis.call('HMGET', key, 'revision', 'newestAtMs'))
local answer = { settled, admitted, stateOf(revision), newest }
if not isKnown then
  local reading = listReadings(organization, 0, 1)[1]
  if reading then sinces[#sinces + 1] = tonumber(reading[3]) + 1 end
  answer[5], answer[6] = gather(organization, sinces), reading or false
end
return finish(answer)`,
)
