/** The Lua script that folds the rows of the ledger that are old, a step at a time. */
import { COUNT } from './ledger-functions.ts'
import { FORMAT, script } from './lua.ts'

/** How many keys a step looks at, and how many rows it folds at most, so that others are not made to wait. */
const [KEYS_OF_A_STEP, ROWS_OF_A_STEP] = [1000, 200]

/**
 * A[1] the instant before which rows are old. Goes through all keys, on from where the last step of any process has stopped, since
 * no list has the organizations of older versions. Answers whether there is more to do. The counts of days stay.
 */
export const FOLD = script(
  COUNT,
  `
local before, left = tonumber(A[1]), ${ROWS_OF_A_STEP}
local function forgetRow(organization, id)
  local key = P .. 'entry:' .. id
  local kind, token, format = unpack(redis.call('HMGET', key, 'kind', 'token', 'format'))
  -- That of a newer version is left alone.
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
-- Where the rows were too many, the next step looks at the same keys.
if left == 0 then return finish(1) end
redis.call('HSET', KEYS[1], 'foldCursor', scanned[1])
return finish(scanned[1] == '0' and 0 or 1)`,
)
