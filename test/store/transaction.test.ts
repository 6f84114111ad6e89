// Runs against every adapter.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HOUR_MS } from '../../src/contract/duration.ts'
import type { Store } from '../../src/store/store.ts'
import { ADAPTERS, entry, FAR_MS, OPENED_TWICE, readNote, session } from '../kit/stores.ts'

describe.each(ADAPTERS)('%s', (_name, open) => {
  let store: Store
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())

  test('a transaction sees its own writes, and others see them when it has ended', async () => {
    const seen = await store.transaction(async (tables) => {
      await tables.writeSession('a', session(Uint8Array.of(1)), 0)
      await tables.changeNote('a', () => 1, FAR_MS)
      await tables.addEntry(entry('a'))
      await tables.settle('a', { outcome: 'settled', status: 200 }, 1001)
      return Promise.all([
        tables.readSessionVersions(['a']),
        tables.readNotes(['a']),
        tables.countByKind('7', 0),
        tables.readNewestAtMs('7', HOUR_MS),
      ])
    })
    const counted = { kind: 'api.read', outcome: 'settled', succeeded: true, count: 1 }
    expect(seen).toEqual([[1], [1], [counted], 1000])
    expect(await store.countByKind('7', 0)).toEqual([counted])
  })

  test('a transaction that throws writes nothing, and the writes beside it stay (8.2)', async () => {
    const refusal = new RangeError('refused')
    const refused = store.transaction(async (tables) => {
      await tables.addEntry(entry('refused'))
      await tables.changeNote('note', () => 2, FAR_MS)
      throw refusal
    })
    const results = await Promise.allSettled([
      store.addEntry(entry('a')),
      refused,
      store.changeNote('other note', () => 1, FAR_MS),
      store.addEntry(entry('b')),
    ])
    expect(results.map((result) => (result.status === 'rejected' ? result.reason : 'written'))).toEqual([
      'written',
      refusal,
      'written',
      'written',
    ])
    expect(await store.countSent('print', ['api.read'], 0)).toBe(2)
    expect([await readNote(store, 'note'), await readNote(store, 'other note')]).toEqual([undefined, 1])
    // Its id is still free.
    await store.addEntry(entry('refused'))
  })

  test('what is still under way in a transaction that throws writes nothing either (8.2)', async () => {
    const refused = store.transaction((tables) =>
      Promise.all([
        tables.changeNote('first', () => 1, FAR_MS),
        tables.addEntry(entry('a')),
        tables.readNotes(['first']).then(() => Promise.reject(new RangeError('refused'))),
      ]),
    )
    await expect(refused).rejects.toThrow(RangeError)
    await store.changeNote('later', () => 1, FAR_MS)
    expect(await store.readNotes(['first', 'later'])).toEqual([undefined, 1])
    expect(await store.countByKind('7', 0)).toEqual([])
  })

  test('watchers hear of a transaction once for each topic, at its end, and of a refused one nothing', async () => {
    const heard: string[] = []
    const end = await store.watch(['organization 7'], () => heard.push('changed'))
    await store.transaction(async (tables) => {
      await tables.addEntry(entry('a'))
      await tables.settle('a', { outcome: 'settled', status: 200 }, 1001)
      heard.push('not yet over')
    })
    const refused = store.transaction(async (tables) => {
      await tables.addEntry(entry('b'))
      throw new RangeError('no')
    })
    await expect(refused).rejects.toThrow(RangeError)
    end()
    expect(heard).toEqual(['not yet over', 'changed'])
  })

  test('the newest request of an organization is no exchange of a code (8.2)', async () => {
    expect(await store.readNewestAtMs('7', HOUR_MS)).toBeUndefined()
    await store.addEntry(entry('read'))
    await store.addEntry(entry('later', { kind: 'token.code', atMs: 2000 }))
    await store.addEntry(entry('elsewhere', { organization: '8' }))
    await store.addEntry(entry('ahead', { atMs: HOUR_MS + 1 }))
    expect(await store.readNewestAtMs('7', HOUR_MS)).toBe(1000)
  })

  test('the twenty newest copies of a grant stay, whatever the clock says (4.4)', async () => {
    const copy = (nth: number) => ({ path: `/${nth}`, encrypted: Uint8Array.of(nth), atMs: 5000 - nth })
    for (let nth = 0; nth < 22; nth += 1) await store.writeCopy('a', copy(nth))
    await store.writeCopy('a', { ...copy(2), encrypted: Uint8Array.of(99) })
    await store.writeCopy('b', copy(0))
    const stored = async (nth: number) => (await store.readCopy('a', `/${nth}`))?.encrypted[0]
    const all = await Promise.all(Array.from({ length: 22 }, (_, nth) => stored(nth)))
    expect(all).toEqual([undefined, undefined, 99, ...Array.from({ length: 19 }, (_, nth) => nth + 3)])
    expect(await store.readCopy('b', '/0')).toEqual(copy(0))
  })

  test('a grant ends with its last session, and its sessions end with it (5.4.3)', async () => {
    const add = (id: string, grant: string, endsAtMs = FAR_MS) =>
      store.writeSession(id, { ...session(Uint8Array.of(1), endsAtMs), grant }, 0)
    const isThere = async (grant: string) =>
      [await store.readGrant(grant), await store.readCopy(grant, '/')].map((one) => one !== undefined)
    for (const grant of ['shared', 'ended', 'lapsed']) {
      await store.addGrant(grant, Uint8Array.of(1))
      await store.writeCopy(grant, { path: '/', encrypted: Uint8Array.of(1), atMs: 1 })
    }
    await Promise.all([add('a', 'shared'), add('b', 'shared'), add('c', 'ended'), add('d', 'ended')])
    await add('e', 'lapsed', 1000)
    expect((await store.listSessions('nobody', 0, 'shared')).map(({ id }) => id)).toEqual(['a', 'b'])
    await store.endSession('a')
    expect(await isThere('shared')).toEqual([true, true])
    await store.endSession('b')
    expect(await isThere('shared')).toEqual([false, false])
    expect([await store.endGrant('ended'), await store.endGrant('ended')]).toEqual([2, 0])
    expect([await store.readSession('c'), ...(await isThere('ended'))]).toEqual([undefined, false, false])
    expect(await isThere('lapsed')).toEqual([true, true])
    await store.sweep(FAR_MS - 1)
    expect(await isThere('lapsed')).toEqual([false, false])
  })

  test('a change of a grant is one of each of its sessions, and none brings an ended one back (5.4.3)', async () => {
    await store.addGrant('grant', Uint8Array.of(1))
    for (const id of ['a', 'b']) await store.writeSession(id, session(Uint8Array.of(1)), 0)
    expect(await store.changeGrant('grant', Uint8Array.of(2))).toBe(true)
    expect(await store.readGrant('grant')).toEqual(Uint8Array.of(2))
    expect(await store.readSessionVersions(['a', 'b'])).toEqual([2, 2])
    await store.endGrant('grant')
    expect(await store.changeGrant('grant', Uint8Array.of(3))).toBe(false)
    expect(await store.readGrant('grant')).toBeUndefined()
  })

  test('a counter counts until it lapses, and then starts again', async () => {
    expect(await store.addToCounter('a', 2, 1000, 1100)).toEqual({ count: 2, lapsesAtMs: 1100 })
    // The end of a started window stays.
    expect(await store.addToCounter('a', 3, 1099, 1199)).toEqual({ count: 5, lapsesAtMs: 1100 })
    expect(await store.addToCounter('a', -1, 1099, 1199)).toEqual({ count: 4, lapsesAtMs: 1100 })
    expect(await store.addToCounter('a', 0, 1099, 1199)).toEqual({ count: 4, lapsesAtMs: 1100 })
    expect(await store.addToCounter('a', 1, 1100, 1200)).toEqual({ count: 1, lapsesAtMs: 1200 })
    expect(await store.addToCounter('b', -7, 1000, 1100)).toEqual({ count: -7, lapsesAtMs: 1100 })
    expect(await store.addToCounter('b', 0, 1000, 1100)).toMatchObject({ count: -7 })
  })

  test('a counter that a clock far ahead began starts again once the clock is set back (8.2)', async () => {
    await store.addToCounter('a', 2, 900_000, 906_000)
    expect(await store.addToCounter('a', 1, 895_000, 901_000)).toEqual({ count: 3, lapsesAtMs: 906_000 })
    expect(await store.addToCounter('a', 1, 894_999, 900_999)).toEqual({ count: 1, lapsesAtMs: 900_999 })
  })

  test('of a hundred calls that add to a counter each sees a number of its own', async () => {
    const added = await Promise.all(Array.from({ length: 100 }, () => store.addToCounter('a', 1, 1000, 2000)))
    expect(added.map(({ count }) => count).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 1),
    )
  })
})

describe.each(OPENED_TWICE)('two processes over one %s', (name, open) => {
  let stores: [Store, Store]
  beforeEach(async () => {
    stores = await open()
  })
  afterEach(async () => {
    for (const store of stores) await store.close()
  })

  test('the time on which both agree is not that of their hosts where the database has a clock (8.2)', async () => {
    const times = await Promise.all(stores.map((store) => store.readClock(1000)))
    const isNow = (time: number) => Math.abs(time - Date.now()) < 60_000
    expect(times.map((time) => (isNow(time) ? 'now' : time))).toEqual(
      name === 'SQLite' ? [1000, 1000] : ['now', 'now'],
    )
  })
})
