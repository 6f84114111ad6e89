import { script } from './lua.ts'

/** Takes a claim if it is free at an instant. */
export const CLAIM = `
local function takeClaim(name, nowMs, lapsesAtMs)
  local lapses = redis.call('GET', P .. 'claim:' .. name)
  if lapses and tonumber(lapses) > tonumber(nowMs) then return 0 end
  redis.call('SET', P .. 'claim:' .. name, lapsesAtMs)
  lapse('claim', name, lapsesAtMs)
  return 1
end
`

/** Releases a lease, if its fencing number is still the given one. */
export const LEASE = `
local function releaseLease(name, fence)
  if redis.call('HGET', P .. 'lease:' .. name, 'fence') == fence then forget('lease', name) end
end
`

export const LEASE_SCRIPTS = {
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
}

export const COUNTER_SCRIPTS = {
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
}
