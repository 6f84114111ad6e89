import { assert, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { foldedBeforeMs, READINGS_COMPARED_MS } from '../../src/contract/ledger-fold.ts'
import { parseLedger, parseLedgerDays, REQUEST_KINDS } from '../../src/contract/ledger.ts'
import { monthBounds } from '../../src/contract/month.ts'
import { Problem } from '../../src/contract/problem.ts'
import { ledgerEntry } from '../_ledger-entry.ts'

const ENTRY = ledgerEntry()
const DAY = { day: '2026-11-21', kind: 'token.code', low: 0, high: 2 }
const UNREADABLE = new Problem('unexpected_reply')

test('a page is read whole, and what is not known in it is left out (8.3)', () => {
  const { status: _, ...open } = { ...ENTRY, outcome: 'reserved', counts: 'unknown' }
  expect(parseLedger({ entries: [{ ...ENTRY, path: '/' }, open], next: 'a', more: 1 })).toEqual({
    entries: [ENTRY, open],
    next: 'a',
  })
  expect(parseLedger({ entries: [] })).toEqual({ entries: [] })
  for (const outcome of ['reserved', 'settled', 'void', 'uncertain'])
    for (const by of ['you', 'another'])
      for (const initiator of ['sign_in', 'person', 'call'])
        for (const counts of ['yes', 'unknown', 'no']) {
          const entry = { ...ENTRY, outcome, by, initiator, counts }
          expect(parseLedger({ entries: [entry] }).entries).toEqual([entry])
        }
})

test('the kinds are those that the month counts (8.3)', () => {
  expect(REQUEST_KINDS).toEqual(['api.read', 'api.update', 'rate_limit', 'token.code', 'token.refresh'])
})

test.each([
  ['no list', { entries: ENTRY }],
  ['no time', { entries: [{ ...ENTRY, at: 1 }] }],
  ['a day instead of a time', { entries: [{ ...ENTRY, at: '2026-11-21' }] }],
  ['a kind that there is not', { entries: [{ ...ENTRY, kind: 'api.write' }] }],
  ['a wish of a timer', { entries: [{ ...ENTRY, initiator: 'timer' }] }],
  ['the name of a person', { entries: [{ ...ENTRY, by: 'Ada' }] }],
  ['an outcome that there is not', { entries: [{ ...ENTRY, outcome: 'sent' }] }],
  ['a status below 0', { entries: [{ ...ENTRY, status: -1 }] }],
  ['no word of whether it counts', { entries: [{ ...ENTRY, counts: undefined }] }],
  ['a number as the next page', { entries: [], next: 2 }],
])('a page with %s is not read (8.3)', (_, body) => {
  expect(() => parseLedger(body)).toThrow(UNREADABLE)
})

test('days are read whole (8.3)', () => {
  expect(parseLedgerDays({ days: [{ ...DAY, more: 1 }, DAY] })).toEqual({ days: [DAY, DAY] })
  expect(parseLedgerDays({ days: [] })).toEqual({ days: [] })
})

test.each([
  ['no list', { days: DAY }],
  ['a time', { days: [{ ...DAY, day: '2026-11-21T06:00:00Z' }] }],
  ['a day that there is not', { days: [{ ...DAY, day: '2026-13-21' }] }],
  ['a number as the day', { days: [{ ...DAY, day: 20261121 }] }],
  ['a kind that there is not', { days: [{ ...DAY, kind: 'all' }] }],
  ['a count below 0', { days: [{ ...DAY, low: -1 }] }],
  ['a half', { days: [{ ...DAY, high: 0.5 }] }],
])('days with %s are not read (8.3)', (_, body) => {
  expect(() => parseLedgerDays(body)).toThrow(UNREADABLE)
})

const DAY_MS = 86_400_000
const utc = (text: string) => Date.parse(`${text}Z`)

test.each([
  // Kiritimati is 14 hours ahead: its September began on 31 August at 10:00, and that day is not old yet.
  ['2026-11-22T12:00', '2026-08-31'],
  ['2026-11-30T09:59', '2026-08-31'],
  // 12 hours behind UTC it is still October; 14 hours ahead, August had already started.
  ['2026-11-01T11:59', '2026-07-31'],
  // 14 hours ahead it is July; in Tokyo it is June, and April began there on 31 March.
  ['2026-06-30T10:00', '2026-03-31'],
  ['2026-11-01T12:00', '2026-08-30'],
  // February is short: readings are compared over 62 days.
  ['2027-03-01T12:00', '2026-12-28'],
  ['2027-01-15T00:00', '2026-10-31'],
])('at %s what is before %s is old (8.3)', (now, before) => {
  expect(new Date(foldedBeforeMs(utc(now))).toISOString().slice(0, 10)).toBe(before)
})

test('nothing that a month of any zone or a comparison of readings asks for is old (8.3)', () => {
  const zones = [
    'UTC',
    'Pacific/Kiritimati',
    'Etc/GMT+12',
    'Asia/Tokyo',
    'America/St_Johns',
    'Australia/Sydney',
  ]
  assert(
    property(integer({ min: utc('2025-01-01T00:00'), max: utc('2030-01-01T00:00') }), (nowMs) => {
      const beforeMs = foldedBeforeMs(nowMs)
      expect(Math.abs(beforeMs % DAY_MS)).toBe(0)
      expect(beforeMs).toBeLessThan(nowMs - READINGS_COMPARED_MS)
      for (const zone of zones) {
        const startBefore = (atMs: number) => monthBounds(atMs - 1, zone).startMs
        expect(beforeMs).toBeLessThanOrEqual(startBefore(startBefore(monthBounds(nowMs, zone).startMs)))
      }
    }),
  )
})
