/** The common beginning of all Lua scripts of the Redis adapter. */
import { createHash } from 'node:crypto'

/**
 * The braces in the prefix of all keys are the hash tag of Redis Cluster: all keys are in one slot and on one
 * node, since one admission needs notes, counts, claims and tokens together. Other nodes are replicas.
 */
const PREFIX = '{plimsoll}:'
/** Holds format, epoch and the numbers that only rise. Scripts derive all other keys from its name. */
export const META = `${PREFIX}meta`
/** All databases of a server share the channel. Messages are JSON: epoch, origin, number, topics. */
export const CHANGES = `${PREFIX}changes`

/** The format of every record. A newer Plimsoll writes a higher one. */
export const FORMAT = 1

/** First words of the errors that the scripts answer. */
export const LOST = 'LOST'
export const NEWER = 'NEWER'

/**
 * Claims, leases and counters have a time to live as a fallback for the sweep: a day after the lapse by the
 * caller's clock. Anything else would be lost if the clock of Redis were ahead.
 */
const SHARED = `
local P = string.sub(KEYS[1], 1, -5)
local DAY, QUARTER = 86400000, 900000
local function newer() error('${NEWER} record of a newer Plimsoll', 0) end
local function checkFormat(format) if format and tonumber(format) > ${FORMAT} then newer() end end
local meta = redis.call('HMGET', KEYS[1], 'format', 'epoch', 'version')
checkFormat(meta[1])
local version = tonumber(meta[3] or 0)
local topics, isChanged = {}, {}
local function changed(topic)
  if not isChanged[topic] then topics[#topics + 1] = topic end
  isChanged[topic] = true
end
local function finish(result)
  if #topics > 0 then
    version = redis.call('HINCRBY', KEYS[1], 'version', 1)
    redis.call('PUBLISH', P .. 'changes', cjson.encode({ meta[2], ARGV[3], version, topics }))
  end
  return { version, topics, result }
end
local function lapse(kind, name, atMs)
  local key = P .. kind .. ':' .. name
  redis.call('ZADD', P .. 'lapses:' .. kind, atMs, name)
  local endMs = tonumber(atMs) + DAY
  local isFreeOnceLapsed = kind == 'claim' or kind == 'lease' or kind == 'counter'
  if isFreeOnceLapsed and endMs > tonumber(redis.call('TIME')[1]) * 1000 and endMs < math.huge then
    redis.call('PEXPIREAT', key, string.format('%.0f', endMs))
  else
    redis.call('PERSIST', key)
  end
end
local function forget(kind, name)
  redis.call('ZREM', P .. 'lapses:' .. kind, name)
  return redis.call('DEL', P .. kind .. ':' .. name) == 1
end
`

/** Refuses to run on a store that has lost changes that this process has seen. */
const CHECKED = `
if meta[2] ~= ARGV[1] or version < tonumber(ARGV[2]) then error('${LOST} store is older than what was seen', 0) end
local A = { unpack(ARGV, 4) }
`

export interface Script {
  text: string
  sha1: string
}

/** `KEYS[1]` is the key of {@link META}. */
export function uncheckedScript(...parts: readonly string[]): Script {
  const text = [SHARED, ...parts].join('\n')
  return { text, sha1: createHash('sha1').update(text).digest('hex') }
}

/** A script whose arguments are `A`, and that ends with `return finish(result)`. */
export const script = (...parts: readonly string[]): Script => uncheckedScript(CHECKED, ...parts)

/** Answers the number of the newest change. */
export const READ_VERSION = script(`return finish(version)`)
