import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  constantFrom,
  integer,
  property,
  record,
} from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { monthBounds, type RequestKind } from '../../src/contract/month.ts'
import { foldedBeforeMs } from '../../src/store/engine/sweep.ts'
import { type Settlement, type Store, UNPROVEN } from '../../src/store/store.ts'
import { ADAPTERS, entry, OPENED_TWICE } from '../kit/stores.ts'

const NOW_MS = Date.UTC(2026, 10, 22)
const BEFORE_MS = foldedBeforeMs(NOW_MS)
const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000]
const asked = { sinceMs: 0, most: 1000 }

const idsOf = async (store: Store, organization = '7') =>
  (await store.listEntries(organization, asked))?.map(({ id }) => id)

const ZONES = [
  'UTC',
  'Pacific/Kiritimati',
  'Etc/GMT+12',
  'Asia/Tokyo',
  'America/St_Johns',
  'Australia/Sydney',
]

test('nothing that a month of any zone or the one before it asks for is old (8.3)', () => {
  const utc = (year: number) => Date.UTC(year, 0, 1)
  assert(
    property(integer({ min: utc(2025), max: utc(2030) }), constantFrom(...ZONES), (nowMs, zone) => {
      const beforeMs = foldedBeforeMs(nowMs)
      const startBefore = (atMs: number) => monthBounds(atMs - 1, zone).startMs
      expect(Math.abs(beforeMs % DAY_MS)).toBe(0)
      expect(beforeMs).toBeLessThanOrEqual(startBefore(startBefore(monthBounds(nowMs, zone).startMs)))
    }),
  )
})

describe.each(ADAPTERS)('the fold of %s', (_, open) => {
  let store: Store
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())

  test('rows older than 94 days are gone, and their days have them by kind and outcome (8.3)', async () => {
    const atMs = BEFORE_MS - DAY_MS
    await store.addEntry(entry('settled', { atMs }))
    await store.settle('settled', { outcome: 'settled', status: 200 }, atMs + 1)
    await store.addEntry(entry('failed', { atMs }))
    await store.settle('failed', { outcome: 'settled', status: 500 }, atMs + 1)
    await store.addEntry(entry('open', { atMs, kind: 'api.update' }))
    await store.addEntry(entry('last old', { atMs: BEFORE_MS - 1 }))
    await store.addEntry(entry('first new', { atMs: BEFORE_MS }))
    const days = await store.countByDay('7', 0)
    expect(days).toHaveLength(5)
    await store.sweep(NOW_MS)
    expect(await idsOf(store)).toEqual(['first new'])
    expect(await store.countByDay('7', 0)).toEqual(days)
    expect(await store.countByKind('7', 0)).toContainEqual({
      kind: 'api.update',
      outcome: 'reserved',
      succeeded: false,
      count: 1,
    })
    expect(await store.listEntries('7', { ...asked, before: 'settled' })).toBeUndefined()
  })

  test('one sweep folds more rows than one of its steps removes (8.3)', async () => {
    const many = Array.from({ length: 501 }, (_, nth) => entry(`${nth}`, { atMs: BEFORE_MS - 1 }))
    await store.transaction((tables) => Promise.all(many.map((one) => tables.addEntry(one))))
    await store.sweep(NOW_MS)
    expect(await idsOf(store)).toEqual([])
    expect(await store.countByKind('7', 0)).toMatchObject([{ count: 501 }])
  })

  test('of a folded row nothing is found, by its token or its instant, and no settlement brings it back', async () => {
    await store.addEntry(entry('old', { atMs: BEFORE_MS - 1 }))
    await store.sweep(NOW_MS)
    const days = await store.countByDay('7', 0)
    await store.settle('old', { outcome: 'settled', status: 200 }, NOW_MS)
    expect(await store.countByDay('7', 0)).toEqual(days)
    expect(await store.countSent('print', ['api.read'], 0)).toBe(0)
    expect(await store.countInFlight(['print'], ['api.read'], 0)).toEqual([0])
    expect(await store.countUnanswered('7', 0, NOW_MS)).toBe(0)
    expect(await store.readNewestAtMs('7', NOW_MS)).toBeUndefined()
    expect(await store.countByKind('7', 0)).toMatchObject([{ count: 1 }])
  })

  test('a row of an old day that comes after its fold is added to the day, and folded too', async () => {
    for (const id of ['first', 'second']) {
      await store.addEntry(entry(id, { atMs: BEFORE_MS - 1 }))
      await store.sweep(NOW_MS)
    }
    expect(await idsOf(store)).toEqual([])
    expect(await store.countByDay('7', 0)).toMatchObject([{ startMs: BEFORE_MS - DAY_MS, count: 2 }])
  })

  test('requests of an unproven name are folded for the organization it is attributed to, or removed (8.3)', async () => {
    const guest = `${UNPROVEN}a`
    for (const organization of [guest, `${guest}b`])
      await store.addEntry(entry(organization, { organization, atMs: BEFORE_MS - HOUR_MS }))
    await store.attribute(guest, '7', NOW_MS)
    await store.sweep(NOW_MS)
    expect(await store.countByDay('7', 0)).toMatchObject([{ count: 1 }])
    expect(await store.countByDay(`${guest}b`, 0)).toEqual([])
    expect(await idsOf(store)).toEqual([])
  })

  test('nothing after the month before the newest Date is folded, whatever the clock of the host says', async () => {
    await store.addEntry(entry('new', { atMs: BEFORE_MS }))
    for (const days of [100, 400, -100]) await store.sweep(NOW_MS + days * DAY_MS, NOW_MS)
    await store.sweep(NOW_MS + 400 * DAY_MS, 0)
    expect(await idsOf(store)).toEqual(['new'])
    expect(await store.countByKind('7', NOW_MS - HOUR_MS)).toEqual([])
    expect(await store.countByKind('7', BEFORE_MS)).toMatchObject([{ count: 1 }])
    await store.sweep(NOW_MS + 400 * DAY_MS, NOW_MS + 400 * DAY_MS)
    expect(await idsOf(store)).toEqual([])
  })

  test('readings stay', async () => {
    const reading = {
      id: 'a',
      count: 40,
      readAtMs: BEFORE_MS - DAY_MS,
      inFlight: 0,
      monthWasReset: false,
      owner: 'owner',
    }
    await store.addReading('7', reading)
    await store.sweep(NOW_MS)
    expect(await store.listReadings('7', 0)).toEqual([reading])
  })
})

test.each(OPENED_TWICE)(
  'two processes over %s that sweep at once remove as much as one (8.2)',
  async (_, open) => {
    const stores = await open()
    const guest = `${UNPROVEN}a`
    for (let nth = 0; nth < 300; nth += 1)
      await stores[0].addEntry(entry(`${nth}`, { organization: guest, atMs: BEFORE_MS }))
    await stores[0].addEntry(entry('old', { atMs: BEFORE_MS - 1 }))
    const days = await stores[0].countByDay('7', 0)
    await Promise.all(stores.map((store) => store.sweep(NOW_MS)))
    expect([await idsOf(stores[0]), await idsOf(stores[0], guest)]).toEqual([[], []])
    expect(await stores[0].countByDay(guest, 0)).toEqual([])
    expect(await stores[0].countByDay('7', 0)).toEqual(days)
    for (const store of stores) await store.close()
  },
)

interface Row {
  organization: string
  kind: RequestKind
  atMs: number
  settlement: Settlement | undefined
}

const row: Arbitrary<Row> = record({
  organization: constantFrom('7', '8'),
  kind: constantFrom('api.read', 'api.update', 'token.refresh'),
  atMs: integer({ min: BEFORE_MS - 3 * DAY_MS, max: BEFORE_MS + 2 * DAY_MS }),
  settlement: constantFrom<Settlement | undefined>(
    { outcome: 'settled', status: 200 },
    { outcome: 'settled', status: 404 },
    { outcome: 'uncertain' },
    { outcome: 'void' },
    undefined,
  ),
})

/** The start of each day; after the old days, any instant. */
const instants = array(integer({ min: BEFORE_MS, max: BEFORE_MS + 2 * DAY_MS }), { maxLength: 4 }).map(
  (some) => [0, ...[3, 2, 1, 0, -1].map((days) => BEFORE_MS - days * DAY_MS), ...some],
)

test.each(ADAPTERS)('for any rows %s counts the same before a fold and after it (8.3)', async (_, open) => {
  const store = await open()
  let runs = 0
  await assert(
    asyncProperty(array(row, { maxLength: 30 }), instants, async (rows, sinces) => {
      runs += 1
      const own = (organization: string) => `${runs} ${organization}`
      const counts = async () => {
        const all: unknown[] = []
        for (const organization of ['7', '8'].map(own)) {
          for (const sinceMs of sinces) {
            const sorts = await store.countByKind(organization, sinceMs)
            all.push(sorts.map((sort) => JSON.stringify(sort)).toSorted())
          }
          all.push(
            await store.countByDay(organization, 0),
            await store.countByDay(organization, sinces.at(-1) ?? 0),
          )
        }
        return all
      }
      await Promise.all(
        rows.map(async ({ organization, kind, atMs, settlement }, nth) => {
          await store.addEntry(entry(`${runs} ${nth}`, { organization: own(organization), kind, atMs }))
          if (settlement) await store.settle(`${runs} ${nth}`, settlement, atMs)
        }),
      )
      const before = await counts()
      for (let sweeps = 0; sweeps < 2; sweeps += 1) {
        await store.sweep(NOW_MS)
        expect(await counts()).toEqual(before)
      }
      for (const organization of ['7', '8']) {
        const ids = rows.flatMap((one, nth) =>
          one.organization === organization && one.atMs >= BEFORE_MS ? [`${runs} ${nth}`] : [],
        )
        expect((await idsOf(store, own(organization)))?.toSorted()).toEqual(ids.toSorted())
      }
    }),
    { numRuns: 40 },
  )
  await store.close()
})
