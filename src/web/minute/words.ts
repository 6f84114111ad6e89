import type { GaugeValues } from './gauge.ts'
import { numberText, sentences } from '../text/language.ts'
import { signedInText } from '../text/text.ts'
import { agoWords } from '../lib/time.ts'

/** The word beside the shape. */
export function gaugeStateWords({ state, limit }: GaugeValues): string {
  const t = signedInText().minute.states
  if (state !== 'reset') return t[state]
  return limit === undefined ? t.resetUnlimited : t.reset(numberText(limit))
}

/** "37 of 60", "about 36 of 60" with requests in flight, "37" without a limit. Needs an `expected` number. */
export function ofLimitWords({ expected = 0, limit, inFlight }: GaugeValues): string {
  const t = signedInText().minute
  const count = inFlight > 0 ? t.about(numberText(expected)) : numberText(expected)
  return limit === undefined ? count : t.ofLimit(count, numberText(limit))
}

/** "37 of 60 left"; only the limit if nothing was measured. */
export function leftWords(minute: GaugeValues): string {
  const t = signedInText().minute
  const { expected, limit, state } = minute
  if (expected !== undefined) return t.left(ofLimitWords(minute))
  if (limit === undefined) return '–'
  return state === 'unseen' || state === 'reset' ? t.upTo(numberText(limit)) : t.notKnownOf(numberText(limit))
}

/** The age of the number, and what is unusual about it. */
export function remarks({ ageMs, assumed, overBy, inconsistent, limit, ...rest }: GaugeValues): string[] {
  const t = signedInText().minute
  const { limitBefore, notes } = rest
  return [
    ageMs === undefined ? t.unseenHint : t.asOf(agoWords(ageMs)),
    ...(limitBefore === undefined ? [] : [t.limitChanged(numberText(limitBefore), numberText(limit ?? 0))]),
    ...(assumed ? [t.assumed] : []),
    ...(overBy > 0 ? [t.overBy(numberText(overBy))] : []),
    ...(inconsistent ? [t.inconsistent] : []),
    ...notes.map((note) => t.notes[note]),
  ]
}

/** The longest usual ones, which size their line. */
export function longestRemarks(): string[] {
  const t = signedInText().minute
  const asOf = t.asOf(agoWords(0))
  return [t.unseenHint, `${asOf} · ${t.notes.others_on_token}`, `${asOf} · ${t.inFlight(numberText(1))}`]
}

/** The only line while nothing runs. */
export function quietWords(read: GaugeValues, update: GaugeValues): string {
  const t = signedInText().minute.quiet
  const isSilent = [read, update].some(({ notes }) => notes.includes('not_reported'))
  return sentences(knownWords(read.limit, update.limit), isSilent ? t.notReported : '')
}

function knownWords(reads: number | undefined, updates: number | undefined): string {
  const t = signedInText().minute.quiet
  if (reads === undefined) return updates === undefined ? t.unseen : t.update(numberText(updates))
  return updates === undefined ? t.read(numberText(reads)) : t.both(numberText(reads), numberText(updates))
}
