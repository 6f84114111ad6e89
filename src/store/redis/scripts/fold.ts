/** The Lua script that folds old rows of the ledger, one step at a time. */
import { COUNT } from './ledger-functions.ts'
import { FORMAT, script } from './lua.ts'

/** Limits of one step, so that other scripts do not wait for long. */
const [KEYS_OF_A_STEP, ROWS_OF_A_STEP] = [1000, 200]

/**
 * A[1] is the instant before which rows are old. Scans all keys, since older versions have no list of their
 * organizations, and continues where the last step of any process stopped. Answers 1 if there is more to do.
 * The counts of days remain.
 */
export const FOLD = script(
  COUNT,
  `
local before, left = tonumber(A[1]), ${ROWS_OF_A_STEP}
local function forgetRow(organization, id)
  local key = P .. 'entry:' .. id
  local kind, token, format = unpack(redis.call('HMGET', key, 'kind', 'token', 'format'))
  -- A newer version wrote it: leave it alone.
  if format and tonumber(format) > ${FORMAT} then return end
  redis.call('ZREM', P .. 'entries:' .. organization, id)
  for _, list in ipairs({ 'sent:', 'open:' }) do
    if token then redis.call('ZREM', P .. list .. kind .. ':' .. token, id) end
  end
  redis.call('DEL', key)
  left = left - 1
end
local function foldRows(organization)
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', P .. 'entries:' .. organization, '-inf', '(' .. A[1], 'LIMIT', 0, left)) do
    forgetRow(organization, id)
  end
  if redis.call('EXISTS', P .. 'entries:' .. organization) == 0 then redis.call('DEL', P .. 'ledger:' .. organization) end
end
local cursor = redis.call('HGET', KEYS[1], 'foldCursor') or '0'
local scanned = redis.call('SCAN', cursor, 'MATCH', P .. '[eq][nu]*s:*', 'COUNT', ${KEYS_OF_A_STEP})
for _, key in ipairs(scanned[2]) do
  local list, name = string.match(string.sub(key, #P + 1), '^(%a+):(.*)$')
  if list == 'entries' and left > 0 and not isUnproven(name) then foldRows(name) end
  local day = list == 'quarters' and string.match(name, '^(%-?%d+):')
  if day and tonumber(day) < before then redis.call('DEL', key) end
end
-- If there were too many rows, the next step scans the same keys.
if left == 0 then return finish(1) end
redis.call('HSET', KEYS[1], 'foldCursor', scanned[1])
return finish(scanned[1] == '0' and 0 or 1)`,
)
