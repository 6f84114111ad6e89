import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { SERVICE_TIME_HEADER, TOKEN_HEADER } from '../../src/contract/api.ts'
import { fold, type Window, windowAt } from '../../src/contract/gauge.ts'
import type { QuotaSnapshot, WindowSnapshot } from '../../src/contract/quota.ts'
import {
  type ReportedAnswer,
  readAnswer,
  windowSnapshot,
  withAnswers,
} from '../../src/contract/quota-fold.ts'
import type { Observation } from '../../src/contract/rate-limit.ts'
import { ODD_HEADERS } from './_odd-headers.ts'

const NOW = 1_800_000_000
/** The service's clock minus the page's. */
const AHEAD_MS = NOW * 1000 - 5000

const UNSEEN: WindowSnapshot = {
  known: 'unseen',
  in_flight: 0,
}
const MEASURED: WindowSnapshot = {
  ...UNSEEN,
  known: 'measured',
  limit: 60,
  remaining: 50,
  reset_in_ms: 41_000,
  age_ms: 20_000,
}
const quota = (read: WindowSnapshot, update = UNSEEN): QuotaSnapshot => ({
  version: 1,
  token: 'a',
  read,
  update,
  month: { low: 0, high: 0, resets_in_ms: { earliest: 0, latest: 0 }, may_have_reset: false },
  pauses: [],
})

/** The headers of an answer that left the bff so many seconds after NOW, by the service's clock. */
function headersOf(after: number, [limit, remaining, reset]: (string | undefined)[], token = 'a'): Headers {
  const headers = new Headers({
    [TOKEN_HEADER]: token,
    [SERVICE_TIME_HEADER]: new Date((NOW + after) * 1000).toISOString(),
  })
  const fields = { Limit: limit, Remaining: remaining, Reset: reset }
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined) headers.set(`X-RateLimit-${name}`, value)
  return headers
}
function answered(
  after: number,
  left: number,
  { resetAfter = 40, limit = 60, token = 'a' } = {},
): ReportedAnswer {
  const headers = headersOf(after, [String(limit), String(left), String(NOW + resetAfter)], token)
  const answer = readAnswer(headers, (NOW + after) * 1000 - AHEAD_MS)
  if (answer === undefined) throw new Error('not read')
  return answer
}
/** The page received the snapshot at NOW. */
const shown = (snapshot: QuotaSnapshot, answers: ReportedAnswer[]) =>
  withAnswers({ snapshot, atMs: NOW * 1000 - AHEAD_MS }, answers)

test('an answer moves the window of its token as it moves the gauge of the bff (8.4.2)', () => {
  expect(shown(quota(MEASURED), [answered(3, 49)]).read).toEqual({
    ...MEASURED,
    remaining: 49,
    age_ms: -3000,
  })
  expect(shown(quota(UNSEEN), [answered(3, 59, { resetAfter: 63 })]).read).toEqual({
    ...MEASURED,
    remaining: 59,
    reset_in_ms: 64_000,
    age_ms: -3000,
  })
})

test('the snapshot keeps what no answer reports: the other class, another token, the month (8.2)', () => {
  const snapshot = quota(MEASURED, { ...MEASURED, limit: 15 })
  const { update, month } = shown(snapshot, [answered(3, 49)])
  expect([update, month]).toEqual([snapshot.update, snapshot.month])
  expect(shown(snapshot, [answered(3, 49, { token: 'b' })])).toBe(snapshot)
  expect(shown(snapshot, [])).toBe(snapshot)
  const [empty] = [readAnswer(headersOf(3, []), 0)].flatMap((one) => one ?? [])
  expect(shown(snapshot, [empty!])).toEqual(snapshot)
})

test('a window unseen in the snapshot is no answer without a report, even after an earlier answer (8.4.2)', () => {
  const { read } = shown(quota(UNSEEN), [answered(-3, 59)])
  expect(read).toMatchObject({ known: 'measured', remaining: 59 })
})

test('a window that has expired is shown as that with the answer, too (8.2)', () => {
  const { remaining: _, reset_in_ms: __, ...rest } = MEASURED
  const expired = quota({ ...rest, known: 'expired' })
  const limitOnly = readAnswer(headersOf(1, ['60']), 6000)!
  expect(shown(expired, [limitOnly]).read).toMatchObject({ known: 'expired', limit: 60, age_ms: -1000 })
  expect(shown(expired, [answered(1, 59, { resetAfter: 61 })]).read).toMatchObject({
    known: 'measured',
    remaining: 59,
  })
  expect(shown(quota(MEASURED), [answered(3, 590, { limit: 600 })]).read).toMatchObject({
    limit: 600,
    remaining: 590,
  })
})

test('the record of GET /rate_limit moves both windows (2.2)', () => {
  const reset = NOW + 60
  const record = { get: { limit: 60, remaining: 58, reset }, update: { limit: 15, remaining: 14, reset } }
  const answer = readAnswer(headersOf(1, ['60', '58', String(reset)]), 6000, record)!
  const { read, update } = shown(quota(UNSEEN), [answer])
  expect([read.remaining, update.remaining, update.limit]).toEqual([58, 14, 15])
})

test('a window has in the snapshot what is known of it, and nothing else (8.2)', () => {
  expect(windowSnapshot({ known: 'unseen' }, 0)).toStrictEqual(UNSEEN)
  const written = { reset_in_ms: 2, age_ms: 1, in_flight: 3 }
  const window: Window = { known: 'unseen', resetInMs: 1.2, ageMs: 1.8 }
  expect(windowSnapshot(window, 3)).toStrictEqual({ ...UNSEEN, ...written })
})

test('of two answers, the one that was on its way for the shorter time shows the clock (RFC 9110 6.6.1)', () => {
  const late = answered(3, 49)
  const answers = [{ ...late, atMs: late.atMs + 5000 }, answered(4, 48)]
  expect(shown(quota(UNSEEN), answers).read).toMatchObject({ remaining: 48, reset_in_ms: 41_000 })
})

test('an unknown limit is of the reads that a page sends, and an expired window is not open again (8.4.4)', () => {
  expect(shown(quota(UNSEEN), [answered(1, 70, { limit: 77 })]).read).toMatchObject({ limit: 77 })
  const limitOnly = readAnswer(headersOf(0, ['60']), 5000)!
  const expired: WindowSnapshot = { ...UNSEEN, known: 'expired', limit: 60, age_ms: 0 }
  expect(shown(quota(expired), [limitOnly]).read.known).toBe('expired')
  expect(readAnswer(headersOf(3, []), 0)?.observations).toEqual([])
})

test('an answer out of a cache, or without the headers of the bff, reports nothing (RFC 9111 5.1)', () => {
  const whole = () => headersOf(0, ['60', '59', String(NOW + 60)])
  expect(readAnswer(whole(), 0)).toMatchObject({ token: 'a', serviceMs: NOW * 1000, atMs: 0 })
  const cached = whole()
  cached.set('Age', '1')
  expect(readAnswer(cached, 0)).toBeUndefined()
  for (const name of [TOKEN_HEADER, SERVICE_TIME_HEADER]) {
    const headers = whole()
    headers.delete(name)
    expect(readAnswer(headers, 0)).toBeUndefined()
  }
})

/** Requests at these seconds after NOW, then others', in one-minute windows that open at first use. */
function serve(requests: readonly { after: number; others: number }[]): Observation[] {
  let resetAtSeconds = 0
  let used = 0
  return requests.map(({ after, others }) => {
    const servedAtSeconds = NOW + after
    if (servedAtSeconds > resetAtSeconds) [resetAtSeconds, used] = [servedAtSeconds + 60, 0]
    used += 1
    const remaining = 60 - used
    used += others
    return { class: 'read', limit: 60, remaining, resetAtSeconds, servedAtSeconds, assumed: false, notes: [] }
  })
}

const delayed = fc.record({
  after: fc.integer({ min: 0, max: 150 }),
  others: fc.integer({ min: 0, max: 3 }),
  lateMs: fc.integer({ min: 0, max: 400 }),
})
const received = fc
  .array(delayed, { minLength: 8, maxLength: 8 })
  .map((list) => list.toSorted((a, b) => a.after - b.after))
  .chain((list) => {
    const indexes = list.map((_, index) => index)
    return fc.record({
      list: fc.constant(list),
      order: fc.shuffledSubarray([...indexes, ...indexes], { minLength: 8 }),
      newest: fc.integer({ min: 0, max: 8 }),
      lateMs: fc.integer({ min: 0, max: 400 }),
    })
  })
const numbers = ({ known, limit, remaining }: Pick<Window, 'known' | 'limit' | 'remaining'>) => [
  known,
  limit,
  remaining,
]

test('eight answers and any snapshot give one state, in any order and however often each comes (8.4.2)', () => {
  fc.assert(
    fc.property(received, ({ list, order, newest, lateMs }) => {
      const observations = serve(list)
      const answers = observations.map((observation, index): ReportedAnswer => {
        const serviceMs = observation.servedAtSeconds * 1000
        const atMs = serviceMs - AHEAD_MS + (list[index]?.lateMs ?? 0)
        return { token: 'a', observations: [observation], serviceMs, atMs }
      })
      const snapshotMs = (NOW + (list[newest - 1]?.after ?? 0)) * 1000
      const window = windowAt(fold({}, observations.slice(0, newest)).read, snapshotMs)
      const snapshot = quota(windowSnapshot(window, 0))
      const atMs = snapshotMs - AHEAD_MS + lateMs
      // Answers in the snapshot may be missing.
      const taken = [...new Set([...order, ...[...list.keys()].filter((index) => index >= newest)])]
      const pageState = (indexes: number[]) =>
        withAnswers(
          { snapshot, atMs },
          indexes.map((index) => answers[index]!),
        ).read
      const state = pageState(taken)
      expect(pageState([...taken.toReversed(), ...taken])).toEqual(state)
      const nowMs = Math.max(snapshotMs, ...taken.map((index) => answers[index]!.serviceMs))
      const truth = windowAt(fold({}, observations).read, nowMs)
      // A window that ends during the transit of a message may be shown for that time.
      fc.pre(
        Math.min(
          ...observations.map(({ resetAtSeconds = 0 }) => Math.abs((resetAtSeconds + 1) * 1000 - nowMs)),
        ) > 1000,
      )
      expect(numbers(state)).toEqual(numbers(truth))
      const resetMs = (state.reset_in_ms ?? 0) + atMs + AHEAD_MS
      expect(Math.abs(resetMs - nowMs - (truth.resetInMs ?? resetMs - nowMs))).toBeLessThanOrEqual(1000)
    }),
    { numRuns: 200 },
  )
})

const value = fc.oneof(
  fc.constantFrom(
    ...ODD_HEADERS,
    '\u00e9\u00b2',
    '0',
    '60',
    '600',
    '15',
    String(NOW + 60),
    String((NOW + 60) * 1000),
    '30',
    undefined,
  ),
  fc.integer().map(String),
  fc.string({ unit: 'grapheme-ascii' }),
)

const isNumber = (one: unknown): boolean =>
  one === undefined || (typeof one === 'number' && Number.isFinite(one) && !Object.is(one, -0))

/** Checks for whole numbers or none, no wait below zero, and no number that the headers lack. */
function isHonest(
  window: WindowSnapshot,
  header: string | undefined,
  known: (number | undefined)[],
): boolean {
  const { age_ms: ageMs, remaining, limit, reset_in_ms: resetInMs } = window
  const reported = (header ?? '').split(',').map((part) => Number(part.trim() || Number.NaN) + 0)
  return (
    [ageMs, remaining, limit, resetInMs].every(isNumber) &&
    Math.min(resetInMs ?? 0, limit ?? 0, (ageMs ?? 0) + 1000) >= 0 &&
    [...known, ...reported].includes(remaining)
  )
}

test('none of 10,000 triples of headers gives a broken or new number, or a wait below zero (8.4.2)', () => {
  fc.assert(
    fc.property(value, value, value, fc.boolean(), (limit, remaining, reset, isFirst) => {
      const answer = readAnswer(headersOf(1, [limit, remaining, reset]), 6000)
      const { read, update } = shown(quota(isFirst ? UNSEEN : MEASURED), [answer!])
      const known = isFirst ? [undefined] : [undefined, MEASURED.remaining]
      expect(isHonest(read, remaining, known) && isHonest(update, remaining, [undefined])).toBe(true)
    }),
    { numRuns: 10_000 },
  )
})
