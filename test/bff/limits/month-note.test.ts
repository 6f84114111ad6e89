import { expect, test } from 'vitest'
import { noteMonth, readMonthsNote } from '../../../src/bff/limits/month-note.ts'
import { changeOrganizationNote } from '../../../src/bff/limits/note.ts'
import type { Meaning } from '../../../src/contract/answer-meaning.ts'
import { ASSUMED } from '../../../src/contract/assumptions.ts'
import { createContext } from '../_context.ts'

const DAY_MS = 86_400_000
const STANDARD = { read: 60, update: 15 }
const BUSINESS = { read: 600, update: 150 }
const NOTED = { plan: 'standard', limit: 100 }
const utc = (text: string) => Date.parse(`${text}Z`)

/** Counts the writes of an organization's months. */
function open() {
  const { context, clock } = createContext()
  const written: { name: string; lapsesAtMs: number }[] = []
  const { changeNote } = context.store
  context.store.changeNote = (name, change, lapsesAtMs, options) => {
    if (name.startsWith('months ')) written.push({ name, lapsesAtMs })
    return changeNote(name, change, lapsesAtMs, options)
  }
  const see = async (at: string, code: Meaning['code'], limits?: typeof STANDARD, organization = '7') => {
    clock.ms = utc(at)
    if (limits) await changeOrganizationNote(context, organization, () => ({ limits }))
    await noteMonth(context, organization, code, { nowMs: clock.ms, assumed: ASSUMED })
  }
  return {
    context,
    clock,
    written,
    see,
    noted: (organization = '7') => readMonthsNote(context, organization),
  }
}

test('the plan of a month is written once, however many answers show it, and kept for years (8.3)', async () => {
  const { see, noted, written, clock } = open()
  for (let times = 0; times < 5; times += 1) await see('2026-11-05T12:00', 'success', STANDARD)
  expect(written).toEqual([{ name: 'months 7', lapsesAtMs: clock.ms + 1200 * DAY_MS }])
  await see('2026-12-05T12:00', 'success')
  expect(written).toHaveLength(2)
  expect(await noted()).toEqual({ '2026-12': NOTED, '2026-11': NOTED })
  expect(await noted('8')).toEqual({})
})

test('answers that show nothing of a month write nothing (8.3)', async () => {
  const { see, noted, written } = open()
  await see('2026-11-05T12:00', 'success')
  await see('2026-11-05T12:00', 'upstream_failed')
  expect([written, await noted()]).toEqual([[], {}])
})

test('a plan that changes within a month is its newest one (8.3)', async () => {
  const { see, noted } = open()
  await see('2026-11-05T12:00', 'success', STANDARD)
  await see('2026-11-06T12:00', 'success', BUSINESS)
  expect(await noted()).toEqual({ '2026-11': { plan: 'business' } })
})

test('a refusal that means the month keeps its first time, and a success of the month ends it (8.3)', async () => {
  const { see, noted, written } = open()
  await see('2026-11-05T12:00', 'month_suspected', STANDARD)
  await see('2026-11-06T12:00', 'month_suspected')
  await see('2026-11-06T12:00', 'upstream_failed')
  expect(await noted()).toEqual({ '2026-11': { ...NOTED, refusedAtMs: utc('2026-11-05T12:00') } })
  expect(written).toHaveLength(1)
  await see('2026-11-07T12:00', 'success')
  expect(await noted()).toEqual({ '2026-11': NOTED })
  await see('2026-11-08T12:00', 'month_suspected')
  expect(await noted()).toEqual({ '2026-11': { ...NOTED, refusedAtMs: utc('2026-11-08T12:00') } })
})

test('a refusal stays if the plan was changed before the next success, which it was not the cause of (8.3)', async () => {
  const { see, noted } = open()
  await see('2026-11-05T12:00', 'month_suspected', STANDARD)
  await see('2026-11-06T12:00', 'success', BUSINESS)
  const refusedAtMs = utc('2026-11-05T12:00')
  expect(await noted()).toEqual({ '2026-11': { plan: 'business', refusedAtMs } })
})

test('a refusal with an unknown plan ends with a success that shows one (8.3)', async () => {
  const { see, noted } = open()
  await see('2026-11-05T12:00', 'month_suspected')
  expect(await noted()).toEqual({ '2026-11': { refusedAtMs: utc('2026-11-05T12:00') } })
  await see('2026-11-05T12:01', 'success', STANDARD)
  expect(await noted()).toEqual({ '2026-11': NOTED })
})

test('a plan without a monthly limit has no refusal that means the month (8.3)', async () => {
  const { see, noted } = open()
  await see('2026-11-05T12:00', 'month_suspected', BUSINESS)
  expect(await noted()).toEqual({ '2026-11': { plan: 'business' } })
})

test('a success in the next month, or where it may have begun, ends no refusal (8.3)', async () => {
  const { see, noted } = open()
  await see('2026-11-05T12:00', 'month_suspected', STANDARD)
  // It is December in Kiritimati.
  await see('2026-11-30T10:00', 'success')
  await see('2026-12-01T13:00', 'success')
  const refusedAtMs = utc('2026-11-05T12:00')
  expect(await noted()).toEqual({ '2026-12': NOTED, '2026-11': { ...NOTED, refusedAtMs } })
})

test('a refusal where the next month may have begun belongs to neither (8.3)', async () => {
  const { see, noted } = open()
  await see('2026-11-30T10:00', 'month_suspected', STANDARD)
  await see('2026-12-01T11:59', 'month_suspected')
  expect(await noted()).toEqual({ '2026-12': NOTED, '2026-11': NOTED })
})

test('the note keeps the newest 36 months (8.3)', async () => {
  const { see, noted } = open()
  for (let month = 0; month < 40; month += 1)
    await see(new Date(Date.UTC(2026, month, 15)).toISOString().slice(0, 16), 'success', STANDARD)
  const kept = Object.keys(await noted())
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([36, '2029-04', '2026-05'])
})

test('a member of a later version does not hide the note (8.3)', async () => {
  const { context, clock, noted } = open()
  const value = { '2026-11': { ...NOTED, price: 3 } }
  await context.store.changeNote('months 7', () => ({ format: 1, value }), clock.ms + DAY_MS)
  expect(await noted()).toEqual({ '2026-11': NOTED })
})
