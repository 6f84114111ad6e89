// Runs against every adapter.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/contract/duration.ts'
import { type Store, UNPROVEN } from '../../src/store/store.ts'
import { ADAPTERS, entry, FAR_MS, reading } from '../kit/stores.ts'

describe.each(ADAPTERS)('%s', (_name, open) => {
  let store: Store
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())

  test('the ledger counts by kind, outcome and success, and keeps organizations and instants apart (8.3)', async () => {
    const atMs = DAY_MS - 900_000
    for (const id of ['a', 'b', 'c', 'd', 'e']) await store.addEntry(entry(id, { atMs }))
    await store.addEntry(entry('f', { kind: 'token.refresh', atMs }))
    await store.addEntry(entry('before', { atMs: atMs - 1 }))
    await store.addEntry(entry('elsewhere', { organization: '8', atMs }))
    await store.settle('a', { outcome: 'settled', status: 200 }, 1001)
    await store.settle('b', { outcome: 'settled', status: 299 }, 1001)
    await store.settle('c', { outcome: 'settled', status: 429 }, 1001)
    for (const status of [199, 300]) {
      await store.addEntry(entry(`${status}`, { atMs }))
      await store.settle(`${status}`, { outcome: 'settled', status }, 1001)
    }
    await store.settle('d', { outcome: 'uncertain' }, 1001)

    const counts = await store.countByKind('7', atMs)
    expect(counts).toHaveLength(5)
    expect(counts).toEqual(
      expect.arrayContaining([
        { kind: 'api.read', outcome: 'settled', succeeded: true, count: 2 },
        { kind: 'api.read', outcome: 'settled', succeeded: false, count: 3 },
        { kind: 'api.read', outcome: 'uncertain', succeeded: false, count: 1 },
        { kind: 'api.read', outcome: 'reserved', succeeded: false, count: 1 },
        { kind: 'token.refresh', outcome: 'reserved', succeeded: false, count: 1 },
      ]),
    )
    expect(await store.countByKind('9', 0)).toEqual([])
  })

  test('an answer that shows the right time moves its request to the day of it (8.3)', async () => {
    await store.addEntry(entry('a', { atMs: 40 * DAY_MS + 5 }))
    await store.settle('a', { outcome: 'settled', status: 200, atMs: 5 }, 1001)
    expect(await store.countByKind('7', DAY_MS)).toEqual([])
    expect(await store.countByDay('7', 0)).toMatchObject([{ startMs: 0, outcome: 'settled', count: 1 }])
    expect(await store.listEntries('7', { sinceMs: 0, most: 2 })).toMatchObject([{ id: 'a', atMs: 5 }])
  })

  test('the first settlement of an entry counts, whatever comes later', async () => {
    await store.addEntry(entry('a'))
    await store.settle('a', { outcome: 'uncertain' }, 1001)
    await store.settle('a', { outcome: 'void' }, 1002)
    expect(await store.countByKind('7', 0)).toEqual([
      { kind: 'api.read', outcome: 'uncertain', succeeded: false, count: 1 },
    ])
  })

  test('requests are counted by sender from an instant on, those of nobody together (8.3)', async () => {
    await store.addEntry(entry('before', { atMs: 4, owner: 'a' }))
    await store.addEntry(entry('first', { atMs: 5, owner: 'a' }))
    await store.addEntry(entry('second', { atMs: 6, owner: 'a' }))
    await store.addEntry(entry('of nobody', { atMs: 7 }))
    const counts = await store.countBySender('7', 5)
    const named = counts.map(({ sender, kind, count }) => `${sender} ${kind} ${count}`)
    expect(named.toSorted()).toEqual([' api.read 1', 'a api.read 2'])
  })

  test('an entry cannot be written down twice', async () => {
    await store.addEntry(entry('a'))
    await expect(store.addEntry(entry('a', { organization: '8' }))).rejects.toMatchObject({
      code: 'store_unavailable',
    })
    expect(await store.countByKind('8', 0)).toEqual([])
  })

  test('the requests that one token sent are counted by kind from an instant on (8.2)', async () => {
    await store.addEntry(entry('a'))
    await store.addEntry(entry('b', { kind: 'rate_limit' }))
    await store.addEntry(entry('c', { kind: 'api.update' }))
    await store.addEntry(entry('d', { atMs: 999 }))
    for (const id of ['e', 'g', 'h']) await store.addEntry(entry(id, { token: 'other' }))
    const { token: _, ...nameless } = entry('f')
    await store.addEntry(nameless)
    expect(await store.countSent('print', ['api.read', 'rate_limit'], 1000)).toBe(2)
    expect(await store.countSent('print', [], 0)).toBe(0)
  })

  test('a request is in flight as long as it has no settlement (8.2)', async () => {
    for (const id of ['a', 'b', 'c']) await store.addEntry(entry(id))
    await store.addEntry(entry('other', { token: 'other' }))
    await store.addEntry(entry('old', { atMs: 999 }))
    await store.settle('a', { outcome: 'uncertain' }, 1001)
    expect(await store.countInFlight(['print'], ['api.read'], 1000)).toEqual([2])
    expect(await store.countInFlight(['print'], ['rate_limit'], 0)).toEqual([0])
    expect(await store.countInFlight(['print'], ['api.read'], 0, 999)).toEqual([1])
    expect(await store.countSent('print', ['api.read'], 1000)).toBe(3)
  })

  test('entries are listed newest first, page after page, each with its end and its owner (8.3)', async () => {
    for (const [id, atMs] of [
      ['a', 1000],
      ['c', 2000],
      ['b', 2000],
      ['d', 3000],
      ['old', 999],
    ] as const)
      await store.addEntry(entry(id, { atMs, owner: `owner of ${id}` }))
    await store.addEntry(entry('other', { organization: '8', atMs: 2500 }))
    await store.settle('d', { outcome: 'settled', status: 429 }, 3001)
    await store.settle('c', { outcome: 'uncertain' }, 3001)
    const asked = { sinceMs: 1000, most: 2 }
    const first = await store.listEntries('7', asked)
    expect(first).toEqual([
      { ...entry('d', { atMs: 3000, owner: 'owner of d' }), outcome: 'settled', status: 429 },
      { ...entry('c', { atMs: 2000, owner: 'owner of c' }), outcome: 'uncertain' },
    ])
    const second = await store.listEntries('7', { ...asked, before: 'c' })
    expect(second?.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['b', 'reserved'],
      ['a', 'reserved'],
    ])
    expect(await store.listEntries('7', { ...asked, before: 'a' })).toEqual([])
    expect(await store.listEntries('7', { ...asked, sinceMs: 3000 })).toHaveLength(1)
    const earlier = await store.listEntries('7', { ...asked, untilMs: 2000 })
    expect(earlier?.map(({ id }) => id)).toEqual(['a'])
  })

  test('a cursor of another organization, or of none, lists nothing (8.3)', async () => {
    await store.addEntry(entry('other', { organization: '8' }))
    for (const before of ['other', 'nothing', ''])
      expect(await store.listEntries('7', { sinceMs: 0, most: 9, before })).toBeUndefined()
  })

  test('an entry without token or owner is listed without them', async () => {
    const { token: _, ...without } = entry('a')
    await store.addEntry(without)
    expect(await store.listEntries('7', { sinceMs: 0, most: 9 })).toEqual([
      { ...without, outcome: 'reserved' },
    ])
  })

  test('requests are counted by day of UTC and sort, the newest day first (8.3)', async () => {
    await store.addEntry(entry('a', { atMs: DAY_MS - 1 }))
    await store.addEntry(entry('b', { atMs: DAY_MS }))
    await store.addEntry(entry('c', { atMs: DAY_MS + 5 }))
    await store.addEntry(entry('d', { atMs: DAY_MS + 5, kind: 'rate_limit' }))
    await store.addEntry(entry('other', { atMs: DAY_MS, organization: '8' }))
    await store.settle('b', { outcome: 'settled', status: 200 }, DAY_MS + 1)
    const reserved = { outcome: 'reserved', succeeded: false, count: 1 }
    const second = [
      { startMs: DAY_MS, kind: 'api.read', ...reserved },
      { startMs: DAY_MS, kind: 'api.read', outcome: 'settled', succeeded: true, count: 1 },
      { startMs: DAY_MS, kind: 'rate_limit', ...reserved },
    ]
    expect(await store.countByDay('7', 2 * DAY_MS - 1)).toEqual(second)
    expect(await store.countByDay('7', DAY_MS - 1)).toEqual([
      ...second,
      { startMs: 0, kind: 'api.read', ...reserved },
    ])
  })

  test('requests that had no answer at an instant are counted, whatever came later (8.3)', async () => {
    for (const [id, atMs] of [
      ['a', 1000],
      ['b', 1001],
      ['c', 2000],
      ['d', 2001],
    ] as const)
      await store.addEntry(entry(id, { atMs }))
    await store.addEntry(entry('other', { organization: '8', atMs: 1500 }))
    await store.settle('b', { outcome: 'settled', status: 200 }, 2000)
    await store.settle('c', { outcome: 'uncertain' }, 2001)
    expect(await store.countUnanswered('7', 1001, 2000)).toBe(1)
    expect(await store.countUnanswered('7', 1000, 1999)).toBe(2)
    expect(await store.countUnanswered('7', 1000, 2001)).toBe(2)
  })

  const guest = `${UNPROVEN}a`

  test('the requests of an organization are attributed to no other (8.3)', async () => {
    await store.addEntry(entry('a'))
    await expect(store.attribute('7', '8', 2000)).rejects.toThrow(RangeError)
    expect(await store.countByKind('8', 0)).toEqual([])
    expect(await store.countByKind('7', 0)).toHaveLength(1)
  })

  test('an hour after its day, a request of an unproven name is forgotten, and the rest stays (8.3)', async () => {
    for (const [id, organization, atMs] of [
      ['old', guest, 1000],
      ['settled', guest, 1000],
      ['new', guest, DAY_MS],
      ['proven', `${guest}b`, 1000],
      ['own', '7', 1000],
    ] as const) {
      await store.addEntry(entry(id, { organization, atMs }))
    }
    await store.settle('settled', { outcome: 'settled', status: 401 }, 1002)
    await store.settle('own', { outcome: 'settled', status: 200 }, 1002)
    await store.attribute(`${guest}b`, '8', 2000)
    await store.sweep(DAY_MS + HOUR_MS - 1)
    expect(await store.countByKind(guest, 0)).toHaveLength(2)
    await store.sweep(DAY_MS + HOUR_MS)
    const one = { kind: 'api.read', succeeded: false, count: 1 }
    expect(await store.countByKind(guest, 0)).toEqual([{ ...one, outcome: 'reserved' }])
    expect(await store.countByKind('8', 0)).toEqual([{ ...one, outcome: 'reserved' }])
    await store.sweep(30 * DAY_MS)
    expect(await store.countByKind(guest, 0)).toEqual([])
    expect(await store.countByKind('7', 0)).toEqual([{ ...one, outcome: 'settled', succeeded: true }])
    expect(await store.countSent('print', ['api.read'], 0)).toBe(2)
    // A later settlement has no effect.
    await store.settle('new', { outcome: 'uncertain' }, FAR_MS)
    expect(await store.countByKind(guest, 0)).toEqual([])
  })

  test('lapsed counters are forgotten, and the first attribution of a name, which counts, after a day', async () => {
    await store.addToCounter('a', 5, 0, 1000)
    for (const organization of ['7', '8']) await store.attribute(guest, organization, 1000)
    await store.sweep(999 + DAY_MS)
    await store.addEntry(entry('a', { organization: guest }))
    await store.sweep(1000 + DAY_MS)
    await store.addEntry(entry('b', { organization: guest }))
    expect(await store.countByKind('7', 0)).toMatchObject([{ count: 1 }])
    // The same with a clock that goes backwards.
    expect(await store.addToCounter('a', 1, 0, 1000)).toMatchObject({ count: 1 })
  })

  test('readings are listed the one read last first, and of one organization alone (8.3)', async () => {
    await store.addReading('7', reading('late', { readAtMs: 3000, monthWasReset: true, inFlight: 2 }))
    await store.addReading('7', reading('first'))
    await store.addReading('7', reading('second', { count: 33 }))
    await store.addReading('8', reading('other', { readAtMs: 9000 }))
    const late = reading('late', { readAtMs: 3000, monthWasReset: true, inFlight: 2 })
    expect(await store.listReadings('7', 1000)).toEqual([
      late,
      reading('second', { count: 33 }),
      reading('first'),
    ])
    expect(await store.listReadings('7', 1001)).toEqual([late])
  })

  test('a reading is removed once, by its own organization (8.3)', async () => {
    await store.addReading('7', reading('a'))
    expect(await store.removeReading('8', 'a', 5)).toBe(false)
    expect(await store.listReadings('7', 0)).toHaveLength(1)
    expect(await store.removeReading('7', 'a', 5)).toBe(true)
    expect(await store.removeReading('7', 'a', 6)).toBe(false)
    expect(await store.listReadings('7', 0)).toEqual([])
  })
})
