import { expect, test } from 'vitest'
import {
  limitNoteNames,
  parseLimitNotes,
  readLimitNotes,
  readOrganizationNote,
  readTokenNote,
  writeOrganizationNote,
  writeTokenNote,
} from '../../../src/bff/limits/note.ts'
import {
  NO_ORGANIZATION_NOTE,
  NO_TOKEN_NOTE,
  type OrganizationNote,
  type StoredPause,
  type TokenNote,
} from '../../../src/contract/limit-notes.ts'
import { createContext, START_MS } from '../_context.ts'
import { limitsAt } from '../../../src/bff/quota/snapshot.ts'
import { DAY_MS } from '../../../src/contract/duration.ts'
import { fold } from '../../../src/contract/gauge.ts'
import { transferLimits } from '../../../src/bff/limits/learned.ts'
import type { RequestClass } from '../../../src/contract/rate-limit.ts'

const pause = (untilMs: number): StoredPause => ({
  code: 'rate_limited',
  reasons: [{ code: 'payment_asked' }],
  untilMs,
})
const gauge = {
  limit: { value: 60, atSeconds: 1 },
  reports: [
    { resetAtSeconds: 61, remaining: 2, atSeconds: 1 },
    { resetAtSeconds: 61, limit: 60, remaining: 3, atSeconds: 1 },
  ],
  loose: { remaining: 1, atSeconds: 1 },
  seenAtSeconds: 1,
} as const
const TOKEN: TokenNote = {
  gauges: { read: gauge, update: { reports: [], seenAtSeconds: 2 } },
  pauses: { read: pause(START_MS), update: pause(START_MS) },
}
const ORGANIZATION: OrganizationNote = {
  limits: { read: 60, update: 15 },
  monthPause: { ...pause(1), code: 'month_suspected' },
  suspicion: { reasons: [{ code: 'payment_asked' }], sinceMs: 1, untilMs: 2 },
  refusal: { atMs: 1, limit: 100, isNearLimit: true },
  months: { '2026-11': { plan: 'standard', limit: 100, refusedAtMs: 1 } },
}

test('a store that reads both notes by their names finds what is stored, and nothing at first (8.2, 8.3)', async () => {
  const { context } = createContext()
  const names = limitNoteNames({ token: 'a', organization: 'b' })
  const read = async () => parseLimitNotes(await context.store.readNotes(names))
  expect(await read()).toEqual({ token: NO_TOKEN_NOTE, organization: NO_ORGANIZATION_NOTE })
  await writeTokenNote(context, 'a', TOKEN)
  await writeOrganizationNote(context, 'b', ORGANIZATION)
  expect(await read()).toEqual({ token: TOKEN, organization: ORGANIZATION })
  expect(await readTokenNote(context, 'a')).toEqual(TOKEN)
  expect(await readOrganizationNote(context, 'b')).toEqual(ORGANIZATION)
})

test('the note of a token outlives every month, and that of an organization three years (8.3)', async () => {
  const { context } = createContext()
  await writeTokenNote(context, 'a', TOKEN)
  await writeOrganizationNote(context, 'a', ORGANIZATION)
  const kept = async (afterDays: number) => {
    await context.store.sweep(START_MS + afterDays * DAY_MS)
    return [await readTokenNote(context, 'a'), await readOrganizationNote(context, 'a')]
  }
  expect(await kept(31)).toEqual([TOKEN, ORGANIZATION])
  expect(await kept(3 * 366)).toEqual([NO_TOKEN_NOTE, ORGANIZATION])
  expect(await kept(1200)).toEqual([NO_TOKEN_NOTE, NO_ORGANIZATION_NOTE])
})

const OWNER = { token: 'a token', organization: '1001' }
const paused = <Code extends StoredPause['code']>(code: Code, inMs: number) =>
  ({ code, reasons: [{ code: 'payment_asked' }], untilMs: START_MS + inMs }) as const

test('each class has its requests in flight, and its pause until that ends, with the reason (8.2, 8.3)', async () => {
  const { context } = createContext()
  const pauses = { read: paused('rate_limited', 1000.5), update: paused('limit_unknown', 2000) }
  await writeTokenNote(context, OWNER.token, { gauges: {}, pauses })
  const monthPause = paused('month_suspected', 3000)
  await writeOrganizationNote(context, OWNER.organization, { limits: {}, months: {}, monthPause })
  const notes = await readLimitNotes(context, OWNER)
  const limitsAfter = (ms: number) => limitsAt(START_MS + ms, notes, { read: 1, update: 2 })
  const pausesAfter = (ms: number) => limitsAfter(ms).pauses
  expect(limitsAfter(0).windows).toEqual({
    read: { known: 'unseen', in_flight: 1 },
    update: { known: 'unseen', in_flight: 2 },
  })
  const { reasons } = monthPause
  expect(pausesAfter(0)).toEqual([
    { code: 'rate_limited', class: 'read', ends_in_ms: 1001, reasons },
    { code: 'limit_unknown', class: 'update', ends_in_ms: 2000, reasons },
    { code: 'month_suspected', ends_in_ms: 3000, reasons },
  ])
  expect(pausesAfter(2000)).toEqual([{ code: 'month_suspected', ends_in_ms: 1000, reasons }])
  expect(pausesAfter(3000)).toEqual([])
})

const observed = (name: RequestClass, remaining: number) => ({
  class: name,
  remaining,
  resetAtSeconds: START_MS / 1000 + 20,
  servedAtSeconds: START_MS / 1000,
  assumed: false,
  notes: [],
})

test('the new token gets the later of each pause of the old one and one of its used-up window (8.2)', async () => {
  const { context } = createContext()
  const gauges = fold({}, [observed('read', 0), observed('update', 0)])
  await writeTokenNote(context, 'old', {
    gauges,
    pauses: { read: paused('limit_unknown', 5000), update: paused('limit_unknown', 30_000) },
  })
  await transferLimits(context, 'old', 'new')
  expect(await readTokenNote(context, 'new')).toEqual({
    gauges: {},
    pauses: {
      read: {
        code: 'rate_limited',
        reasons: [{ code: 'minute_used_up_before_refresh' }],
        untilMs: START_MS + 21_000,
      },
      update: paused('limit_unknown', 30_000),
    },
  })
  // Nothing is transferred if nothing is over the limit.
  await writeTokenNote(context, 'old', { gauges: fold({}, [observed('read', 1)]), pauses: {} })
  await transferLimits(context, 'old', 'other')
  expect(await readTokenNote(context, 'other')).toEqual(NO_TOKEN_NOTE)
})
