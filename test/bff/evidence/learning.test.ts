import { expect, test } from 'vitest'
import { NO_EVIDENCE, readServiceNote } from '../../../src/bff/evidence/note.ts'
import { readAssumptions } from '../../../src/bff/evidence/findings.ts'
import {
  addReset,
  addSighting,
  learnFromRateRecord,
  learnFromRefresh,
} from '../../../src/bff/evidence/learning.ts'
import { ASSUMED } from '../../../src/contract/assumptions.ts'
import type { RateReading } from '../../../src/contract/rate-limit.ts'
import { startApp, type App } from '../../kit/app.ts'
import { createContext, START_MS } from '../_context.ts'

const window = (limit: number | undefined, remaining: number | undefined): RateReading => ({
  ...(limit !== undefined && { limit }),
  ...(remaining !== undefined && { remaining }),
  notes: [],
})
const RECORD = { read: window(60, 59), update: window(15, 15) }
const valuesOf = async (context: Parameters<typeof readServiceNote>[0]) =>
  (await readServiceNote(context)).sightings.map(({ value }) => value)
const reset = (after: string, by: string) => ({ afterMs: Date.parse(after), byMs: Date.parse(by) })
const contextOf = ({ store }: App) => ({ ...createContext().context, store })

test.each<[string, RateReading, Parameters<typeof learnFromRateRecord>[2], string[]]>([
  ['of reads', window(60, 59), RECORD, ['class_of_request']],
  ['of updates', window(15, 15), RECORD, ['update']],
  ['of neither', window(15, 14), RECORD, []],
  ['of both', window(60, 59), { read: window(60, 59), update: window(60, 59) }, []],
  ['that are missing', window(undefined, undefined), RECORD, []],
  ['without a remaining', window(60, undefined), RECORD, []],
  ['without a limit', window(undefined, 59), RECORD, []],
  ['of an unlimited class', window(undefined, 5), { read: window(undefined, 5), update: window(15, 15) }, []],
  ['beside reads only', window(60, 59), { read: window(60, 59) }, []],
  ['beside updates only', window(15, 15), { update: window(15, 15) }, []],
  ['with the remaining of one and the limit of the other', window(60, 15), RECORD, []],
  [
    'beside a class without a remaining',
    window(60, undefined),
    { read: window(60, undefined), update: window(15, 15) },
    [],
  ],
])(
  'headers %s beside the record of both classes show which class they describe (8.4.4)',
  async (_, headers, record, shown) => {
    const { context } = createContext()
    await learnFromRateRecord(context, headers, record)
    expect(await valuesOf(context)).toEqual(shown)
  },
)

test.each([
  ['of_request', 'class_of_request'],
  ['read', 'class_of_request'],
  ['update', 'update'],
] as const)(
  'of a service whose headers describe %s one press shows it, as %s (8.4.4)',
  async (hdrclass, value) => {
    const fixture = startApp({ choices: { hdrclass } })
    const browser = fixture.browser()
    await browser.signIn()
    const before = fixture.paid().length
    await browser.spend('/rate_limit')
    expect(fixture.paid()).toHaveLength(before + 1)
    expect((await readAssumptions(contextOf(fixture))).headers_describe).toBe(value)
  },
)

test('headers of the class with less left contradict each other soon; the assumption holds again (8.4.4)', async () => {
  const fixture = startApp({ choices: { hdrclass: 'fewer_remaining' } })
  const browser = fixture.browser()
  await browser.signIn()
  await browser.spend('/rate_limit')
  expect((await readAssumptions(contextOf(fixture))).headers_describe).toBe('update')
  for (let read = 0; read < 47; read += 1) await browser.spend('/rate_limit')
  expect((await readAssumptions(contextOf(fixture))).headers_describe).toBe(ASSUMED.headers_describe)
})

test.each([
  ['new_old_revoked', 'yes'],
  ['same', 'no'],
] as const)(
  'a refresh of a service with %s shows whether the refresh token rotates: %s (5.4.4)',
  async (rotation, value) => {
    const fixture = startApp({ choices: { rotation } })
    const browser = fixture.browser()
    await browser.signIn()
    expect(await valuesOf(contextOf(fixture))).toEqual([])
    fixture.advance(3_600_000)
    await browser.spend('/organizations/1001')
    await fixture.bff.drain()
    expect((await readServiceNote(contextOf(fixture))).sightings).toEqual([
      { name: 'refresh_rotates', value, atMs: expect.any(Number) },
    ])
  },
)

test('five sightings that agree are enough, five later ones outweigh one that differs, others stay (8.4.4)', async () => {
  const { context, clock } = createContext()
  const see = async (isRotated: boolean) => {
    clock.ms += 1000
    await learnFromRefresh(context, isRotated)
  }
  await addSighting(context, { name: 'month_status', value: '403', atMs: START_MS })
  for (let count = 0; count < 5; count += 1) await see(true)
  const enough = await readServiceNote(context)
  expect(enough.sightings.map(({ atMs }) => atMs)).toEqual([5, 4, 3, 2, 1, 0].map((s) => START_MS + s * 1000))
  const version = await context.store.readVersion()
  await see(true)
  expect(await readServiceNote(context)).toEqual(enough)
  expect(await context.store.readVersion()).toBe(version)
  await see(false)
  expect(await valuesOf(context)).toEqual(['no', 'yes', 'yes', 'yes', 'yes', '403'])
  for (let count = 0; count < 4; count += 1) await see(false)
  expect(await valuesOf(context)).toEqual(['no', 'no', 'no', 'no', 'no', '403'])
})

test('one sighting is stored once, and those of other findings stay (8.3)', async () => {
  const { context } = createContext()
  const sighting = { name: 'month_status', value: '403', atMs: START_MS } as const
  await learnFromRefresh(context, true)
  await addSighting(context, sighting)
  await addSighting(context, sighting)
  await addSighting(context, { ...sighting, value: '402' })
  await addSighting(context, { ...sighting, atMs: START_MS + 1 })
  expect(await valuesOf(context)).toEqual(['403', '402', '403', 'yes'])
})

test('a reset leaves the zones in which it can have been, and a second one fewer (8.3)', async () => {
  const { context } = createContext()
  await addReset(context, reset('2026-12-01T04:58Z', '2026-12-01T05:02Z'))
  const winter = (await readAssumptions(context)).month_zones
  expect(winter[0]).toBe('America/New_York')
  await addReset(context, reset('2027-08-01T03:58Z', '2027-08-01T04:02Z'))
  const both = (await readAssumptions(context)).month_zones
  expect(both[0]).toBe('America/New_York')
  expect(both.length).toBeLessThan(winter.length)
})

test('a reset that any zone can have leaves every zone, and none is stored (8.3)', async () => {
  const { context } = createContext()
  const wide = reset('2026-11-29T00:00Z', '2026-12-02T00:00Z')
  await addReset(context, wide)
  expect(await readServiceNote(context)).toEqual({ ...NO_EVIDENCE, resets: [wide] })
})

test('resets that contradict each other are stored, and every zone is a candidate again (8.3)', async () => {
  const { context } = createContext()
  await addReset(context, reset('2026-11-30T14:58Z', '2026-11-30T15:02Z'))
  expect((await readAssumptions(context)).month_zones).toEqual(['Asia/Tokyo'])
  await addReset(context, reset('2026-12-31T23:58Z', '2027-01-01T00:02Z'))
  expect(await readServiceNote(context)).toEqual({
    ...NO_EVIDENCE,
    resets: [
      reset('2026-12-31T23:58Z', '2027-01-01T00:02Z'),
      reset('2026-11-30T14:58Z', '2026-11-30T15:02Z'),
    ],
  })
  expect((await readAssumptions(context)).month_zones).toEqual(ASSUMED.month_zones)
})

test('the five newest resets count (8.3)', async () => {
  const { context } = createContext()
  await addReset(context, reset('2026-11-30T14:58Z', '2026-11-30T15:02Z'))
  for (let month = 0; month < 5; month += 1) {
    const utc = Date.UTC(2027, month, 1)
    await addReset(context, { afterMs: utc - 120_000, byMs: utc + 120_000 })
  }
  expect((await readServiceNote(context)).resets).toHaveLength(5)
  expect((await readAssumptions(context)).month_zones[0]).toBe('UTC')
})
