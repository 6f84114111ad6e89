import { expect, test } from 'vitest'
import { reserve } from '../../../src/bff/service/ledger.ts'
import { changeOrganizationNote, changeTokenNote, type StoredPause } from '../../../src/bff/limits/note.ts'
import { readLimits } from '../../../src/bff/limits/snapshot.ts'
import { fold } from '../../../src/contract/gauge.ts'
import { createContext, START_MS } from '../_context.ts'

const OWNER = { token: 'a token', organization: '1001' }
const REASONS = {
  rate_limited: 'minute_used_up',
  limit_unknown: 'limit_not_named',
  month_suspected: 'payment_asked',
} as const
const pause = (code: StoredPause['code'], inMs: number): StoredPause => ({
  code,
  reasons: [{ code: REASONS[code] }],
  untilMs: START_MS + inMs,
})

test('every pause is in the snapshot until it ends, with its class, its delay and its reason (8.2, 8.3)', async () => {
  const { context, clock } = createContext()
  await changeTokenNote(context, OWNER.token, () => ({
    gauges: {},
    pauses: { read: pause('rate_limited', 1000.5), update: pause('limit_unknown', 2000) },
  }))
  await changeOrganizationNote(context, OWNER.organization, () => ({
    limits: {},
    monthPause: pause('month_suspected', 3000),
  }))
  const pauses = async () => (await readLimits(context, OWNER, clock.ms)).pauses
  expect(await pauses()).toEqual([
    { code: 'rate_limited', class: 'read', ends_in_ms: 1001, reasons: [{ code: 'minute_used_up' }] },
    { code: 'limit_unknown', class: 'update', ends_in_ms: 2000, reasons: [{ code: 'limit_not_named' }] },
    { code: 'month_suspected', ends_in_ms: 3000, reasons: [{ code: 'payment_asked' }] },
  ])
  clock.ms += 2000
  expect(await pauses()).toEqual([expect.objectContaining({ code: 'month_suspected', ends_in_ms: 1000 })])
  clock.ms += 1000
  expect(await pauses()).toEqual([])
})

test('without an answer nothing is known, except what is in flight (8.2)', async () => {
  const { context } = createContext()
  const entry = { method: 'POST', path: '/projects', initiator: 'person' } as const
  await reserve(context, { ...OWNER, ...entry, kind: 'api.update' })
  const { windows } = await readLimits(context, OWNER, START_MS)
  expect([windows.read, windows.update]).toMatchObject([
    { known: 'unseen', in_flight: 0 },
    { known: 'unseen', in_flight: 1 },
  ])
})

test('each class has its own window (8.2)', async () => {
  const { context } = createContext()
  const seen = { notes: [], assumed: false, servedAtSeconds: START_MS / 1000 }
  await changeTokenNote(context, OWNER.token, () => ({
    gauges: fold({}, [
      { ...seen, class: 'read', remaining: 7 },
      { ...seen, class: 'update', remaining: 3 },
    ]),
    pauses: {},
  }))
  const { windows } = await readLimits(context, OWNER, START_MS)
  expect([windows.read.remaining, windows.update.remaining]).toEqual([7, 3])
})
