import type { RequestClass } from '../../contract/rate-limit.ts'
import { agoWords, countdownWords, numberText } from '../text/format.ts'
import { words } from '../text/text.ts'
import type { GaugeValues } from './gauge.ts'

/** The number in the ring: what is left, else what the class allows. */
export const middleWords = ({ expected, limit }: GaugeValues): string =>
  expected === undefined ? (limit === undefined ? '' : numberText(limit)) : numberText(expected)

/** "37 of 60", "about 36 of 60" with requests in flight, "37" without a limit. Needs an `expected` number. */
function ofLimitWords({ expected = 0, limit, inFlight }: GaugeValues): string {
  const t = words().minute
  const count = inFlight > 0 ? t.about(numberText(expected)) : numberText(expected)
  return limit === undefined ? count : t.ofLimit(count, numberText(limit))
}

/** "37 of 60 left", with the word for its state; what the class allows, if nothing was measured. */
export function valueWords(minute: GaugeValues): string {
  const t = words().minute
  const { state, isNew, expected } = minute
  const limit = minute.limit === undefined ? undefined : numberText(minute.limit)
  if (state === 'none') return t.none(limit)
  if (expected !== undefined) return (state === 'low' ? t.low : t.left)(ofLimitWords(minute))
  if (limit === undefined) return t.noLimit
  return isNew ? t.left(limit) : t.perMinute(limit)
}

/** How old the number is, or why there is none. */
export function ageWords({ state, isNew, ageMs, isIdle }: GaugeValues): string {
  const t = words().minute
  if (state === 'unknown') return t.unseen
  if (isNew && !isIdle) return t.newMinute
  const ago = agoWords(ageMs ?? 0)
  return isNew ? t.lastSeen(ago) : t.seen(ago)
}

export const inFlightWords = ({ inFlight }: GaugeValues): string =>
  words().minute.inFlight(numberText(inFlight))

/** The meter in one sentence. */
export function spokenWords(of: RequestClass, minute: GaugeValues): string {
  const t = words().minute.classes[of]
  if (minute.expected !== undefined) return t.spoken(ofLimitWords(minute))
  return t.spokenState(minute.isNew ? valueWords(minute) : ageWords(minute))
}

/** What is unusual about the numbers of a class; empty if nothing is. */
export function remarkWords(of: RequestClass, minute: GaugeValues): string {
  const t = words().minute
  const { overBy, limit = 0, limitBefore, isUnusual } = minute
  const remarks = [
    ...(limitBefore === undefined ? [] : [t.limitChanged(numberText(limitBefore), numberText(limit))]),
    ...(overBy > 0 ? [t.overBy(numberText(overBy))] : []),
    ...(isUnusual ? [t.unusual] : []),
  ]
  return remarks.length === 0 ? '' : t.remarks(t.classes[of].name, remarks.join(' · '))
}

/** When the classes refill; empty if none of them has anything to get back. */
export function refillWords(read: GaugeValues, update: GaugeValues): string {
  const t = words().minute
  const reads = read.countdownMs === undefined ? undefined : countdownWords(read.countdownMs)
  const updates = update.countdownMs === undefined ? undefined : countdownWords(update.countdownMs)
  if (reads !== undefined && updates !== undefined && reads !== updates) return t.refillEach(reads, updates)
  const wait = reads ?? updates
  return wait === undefined ? '' : t.refillsIn(wait)
}

/** "60 reads and 15 updates a minute". */
export function limitWords(read: GaugeValues, update: GaugeValues): string {
  const t = words().minute.limits
  const [reads, updates] = [read.limit, update.limit]
  if (reads === undefined) return updates === undefined ? t.unknown : t.update(numberText(updates))
  return updates === undefined ? t.read(numberText(reads)) : t.both(numberText(reads), numberText(updates))
}
