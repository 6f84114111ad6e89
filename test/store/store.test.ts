// What every adapter of the store has to do; each test runs against each of them.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type Admission,
  type Store,
  type StoredReading,
  type Topic,
  UNPROVEN,
} from '../../src/store/store.ts'
import { ADAPTERS, entry, session } from './_adapters.ts'

const FAR_MS = 4e12
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

describe.each(ADAPTERS)('%s', (_name, open) => {
  let store: Store
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())

  test('a session is read as it was written, byte by byte', async () => {
    const encrypted = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    expect(await store.readSession('a')).toBeUndefined()
    expect(await store.writeSession('a', session(encrypted.subarray(1, 200)), 0)).toBe(true)
    expect(await store.readSession('a')).toEqual({ ...session(encrypted.slice(1, 200)), version: 1 })
  })

  test('of writers that have seen the same version of a session one wins', async () => {
    const write = (byte: number, seen: number) => store.writeSession('a', session(Uint8Array.of(byte)), seen)
    expect(await Promise.all([write(1, 0), write(2, 0)])).toEqual([true, false])
    expect(await Promise.all([write(3, 1), write(4, 1), write(5, 2), write(6, 9)])).toEqual([
      true,
      false,
      true,
      false,
    ])
    expect(await store.readSession('a')).toMatchObject({ encrypted: Uint8Array.of(5), version: 3 })
  })

  test('a session that was ended is gone, and no late writer brings it back', async () => {
    await store.writeSession('a', session(Uint8Array.of(1)), 0)
    await store.writeSession('b', session(Uint8Array.of(3)), 0)
    await store.endSession('a')
    await store.endSession('a')
    expect(await store.readSession('b')).toBeDefined()
    expect(await store.writeSession('a', session(Uint8Array.of(2)), 1)).toBe(false)
    expect(await store.readSession('a')).toBeUndefined()
  })

  test('of twenty calls that claim a name one gets it, and again one after it lapsed', async () => {
    const claims = (nowMs: number) =>
      Promise.all(Array.from({ length: 20 }, () => store.claim('name', nowMs, nowMs + 100)))
    expect((await claims(1000)).filter(Boolean)).toHaveLength(1)
    expect((await claims(1099)).filter(Boolean)).toHaveLength(0)
    expect((await claims(1100)).filter(Boolean)).toHaveLength(1)
    expect(await store.claim('other', 1000, 2000)).toBe(true)
  })

  test('the ledger counts by kind, outcome and success, and keeps organizations and instants apart (8.3)', async () => {
    const atMs = DAY_MS - 900_000
    for (const id of ['a', 'b', 'c', 'd', 'e']) await store.reserve(entry(id, { atMs }))
    await store.reserve(entry('f', { kind: 'token.refresh', atMs }))
    await store.reserve(entry('before', { atMs: atMs - 1 }))
    await store.reserve(entry('elsewhere', { organization: '8', atMs }))
    await store.settle('a', { outcome: 'settled', status: 200 }, 1001)
    await store.settle('b', { outcome: 'settled', status: 299 }, 1001)
    await store.settle('c', { outcome: 'settled', status: 429 }, 1001)
    for (const status of [199, 300]) {
      await store.reserve(entry(`${status}`, { atMs }))
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

  test('the first settlement of an entry counts, whatever comes later', async () => {
    await store.reserve(entry('a'))
    await store.settle('a', { outcome: 'uncertain' }, 1001)
    await store.settle('a', { outcome: 'void' }, 1002)
    expect(await store.countByKind('7', 0)).toEqual([
      { kind: 'api.read', outcome: 'uncertain', succeeded: false, count: 1 },
    ])
  })

  test('an entry cannot be written down twice', async () => {
    await store.reserve(entry('a'))
    await expect(store.reserve(entry('a', { organization: '8' }))).rejects.toMatchObject({
      code: 'store_unavailable',
    })
    expect(await store.countByKind('8', 0)).toEqual([])
  })

  test('the requests that one token sent are counted by kind from an instant on (8.2)', async () => {
    await store.reserve(entry('a'))
    await store.reserve(entry('b', { kind: 'rate_limit' }))
    await store.reserve(entry('c', { kind: 'api.update' }))
    await store.reserve(entry('d', { atMs: 999 }))
    for (const id of ['e', 'g', 'h']) await store.reserve(entry(id, { token: 'other' }))
    const { token: _, ...nameless } = entry('f')
    await store.reserve(nameless)
    expect(await store.countSent('print', ['api.read', 'rate_limit'], 1000)).toBe(2)
    expect(await store.countSent('print', [], 0)).toBe(0)
  })

  test('a note is any JSON, and is removed by a change to nothing', async () => {
    const value = { text: 'µ\u0000', list: [1, null, { deep: -0.5 }], no: false }
    expect(await store.readNote('a')).toBeUndefined()
    expect(await store.changeNote('a', () => value, FAR_MS)).toEqual(value)
    expect(await store.readNote('a')).toEqual(value)
    expect(await store.changeNote('a', (known) => [known], FAR_MS)).toEqual([value])
    expect(await store.readNote('a')).toEqual([value])
    expect(await store.changeNote('a', () => undefined, FAR_MS)).toBeUndefined()
    expect(await store.readNote('a')).toBeUndefined()
  })

  test('what is changed lapses when its last change states', async () => {
    await store.changeNote('a', () => 1, 1000)
    await store.changeNote('a', () => 2, 2000)
    await store.writeSession('a', session(Uint8Array.of(1), 1000), 0)
    await store.writeSession('a', session(Uint8Array.of(2), 2000), 1)
    await store.sweep(1000)
    expect(await store.readNote('a')).toBe(2)
    expect(await store.readSession('a')).toEqual({ ...session(Uint8Array.of(2), 2000), version: 2 })
    await store.sweep(2000)
    expect([await store.readNote('a'), await store.readSession('a')]).toEqual([undefined, undefined])
  })

  test('a change of a note that throws changes nothing, and the store goes on', async () => {
    await store.changeNote('a', () => 1, FAR_MS)
    const error = new RangeError('ours')
    const failing = store.changeNote(
      'a',
      () => {
        throw error
      },
      FAR_MS,
    )
    await expect(failing).rejects.toBe(error)
    expect(await store.changeNote('a', (known) => Number(known) + 1, FAR_MS)).toBe(2)
  })

  test('sweeping forgets what has lapsed and keeps the ledger', async () => {
    for (const [name, endsAtMs] of [
      ['old', 1000],
      ['new', 1001],
    ] as const) {
      await store.writeSession(name, session(Uint8Array.of(1), endsAtMs), 0)
      await store.changeNote(name, () => name, endsAtMs)
      await store.claim(name, 0, endsAtMs)
    }
    await store.reserve(entry('a', { atMs: 1 }))
    await store.sweep(1000)
    expect(await Promise.all(['old', 'new'].map((name) => store.readNote(name)))).toEqual([undefined, 'new'])
    expect(await store.readSession('old')).toBeUndefined()
    expect(await store.readSession('new')).toBeDefined()
    // Even for a clock that goes backwards.
    expect(await Promise.all(['old', 'new'].map((name) => store.claim(name, 0, FAR_MS)))).toEqual([
      true,
      false,
    ])
    expect(await store.countByKind('7', 0)).toHaveLength(1)
  })

  test('text that looks like SQL is only text', async () => {
    const name = `'; DROP TABLE notes; --`
    await store.changeNote(name, () => name, FAR_MS)
    await store.reserve(entry(name, { organization: name }))
    expect(await store.readNote(name)).toBe(name)
    expect(await store.countByKind(name, 0)).toHaveLength(1)
  })

  test('a closed store answers store_unavailable, and may be closed again', async () => {
    await store.close()
    await store.close()
    const unavailable = { name: 'Problem', code: 'store_unavailable', cause: expect.any(Error) }
    await expect(store.readNote('a')).rejects.toMatchObject(unavailable)
    await expect(store.reserve(entry('a'))).rejects.toMatchObject(unavailable)
    await expect(store.changeNote('a', () => 1, FAR_MS)).rejects.toMatchObject(unavailable)
  })

  test('the sessions of one owner are listed, the oldest first, without those that have ended', async () => {
    const write = (id: string, differing: object) =>
      store.writeSession(id, { ...session(Uint8Array.of(1)), ...differing }, 0)
    await write('young', { openedAtMs: 300 })
    await write('old', { openedAtMs: 100 })
    await write('ended', { endsAtMs: 1000 })
    await write('strange', { owner: 'another' })
    const listed = { endsAtMs: 5000, seenAtMs: 200, browser: 'Firefox on Linux' }
    expect(await store.listSessions('owner', 1000)).toEqual([
      { id: 'old', openedAtMs: 100, ...listed },
      { id: 'young', openedAtMs: 300, ...listed },
    ])
    expect(await store.listSessions('third', 0)).toEqual([])
  })

  test('of twenty calls that want a lease one gets it, and again one when it has lapsed (5.4.4)', async () => {
    const acquire = async (nowMs: number) => {
      const fences = await Promise.all(
        Array.from({ length: 20 }, () => store.acquireLease('name', nowMs, nowMs + 100)),
      )
      return fences.filter((fence) => fence !== undefined)
    }
    expect(await acquire(1000)).toHaveLength(1)
    expect(await acquire(1099)).toEqual([])
    expect(await acquire(1100)).toHaveLength(1)
    expect(await store.acquireLease('other', 1000, 2000)).toBeDefined()
  })

  test('fencing numbers rise, over all names, and after a lease was given back or swept (5.4.4)', async () => {
    const fences: (number | undefined)[] = []
    for (const [name, nowMs] of [
      ['a', 0],
      ['b', 0],
      ['a', 100],
    ] as const) {
      fences.push(await store.acquireLease(name, nowMs, nowMs + 100))
    }
    await store.releaseLease('a', fences[2] as number)
    fences.push(await store.acquireLease('a', 100, 200))
    await store.sweep(DAY_MS)
    fences.push(await store.acquireLease('a', 100, 200))
    expect(fences).not.toContain(undefined)
    expect(fences).toEqual(fences.toSorted((one, other) => Number(one) - Number(other)))
    expect(new Set(fences).size).toBe(5)
  })

  test('a lease is renewed by its holder, even late, until another one took it (5.4.4)', async () => {
    const fence = (await store.acquireLease('a', 0, 100)) as number
    expect(await store.renewLease('a', fence, 200)).toBe(true)
    expect(await store.acquireLease('a', 199, 300)).toBeUndefined()
    expect(await store.renewLease('a', fence + 1, 900)).toBe(false)
    expect(await store.renewLease('nothing', fence, 900)).toBe(false)
    await store.sweep(200)
    expect(await store.renewLease('a', fence, 400)).toBe(true)
    expect(await store.acquireLease('a', 399, 500)).toBeUndefined()
    const taken = await store.acquireLease('a', 400, 500)
    expect(taken).toBeGreaterThan(fence)
    expect(await store.renewLease('a', fence, 900)).toBe(false)
    expect(await store.acquireLease('a', 499, 600)).toBeUndefined()
  })

  test('a lease is given back by its holder only (5.4.4)', async () => {
    const fence = (await store.acquireLease('a', 0, 100)) as number
    await store.releaseLease('a', fence + 1)
    expect(await store.acquireLease('a', 50, 150)).toBeUndefined()
    await store.releaseLease('a', fence)
    await store.releaseLease('a', fence)
    expect(await store.renewLease('a', fence, 900)).toBe(false)
    expect(await store.acquireLease('a', 50, 150)).toBeGreaterThan(fence)
  })

  test('a change of a note gives back the lease that it names, to its holder only (5.4.4)', async () => {
    const fence = (await store.acquireLease('a', 0, 100)) as number
    await store.changeNote('n', () => 1, FAR_MS, { release: { name: 'a', fence: fence + 1 } })
    await store.changeNote('n', () => 2, FAR_MS)
    expect(await store.acquireLease('a', 50, 150)).toBeUndefined()
    await store.changeNote('n', () => undefined, FAR_MS, { release: { name: 'a', fence } })
    expect(await store.readNote('n')).toBeUndefined()
    expect(await store.acquireLease('a', 50, 150)).toBeGreaterThan(fence)
  })

  test('a counter counts until it lapses, and then starts again', async () => {
    expect(await store.addToCounter('a', 2, 1000, 1100)).toEqual({ count: 2, lapsesAtMs: 1100 })
    // The end of a window that has started stays.
    expect(await store.addToCounter('a', 3, 1099, 1199)).toEqual({ count: 5, lapsesAtMs: 1100 })
    expect(await store.addToCounter('a', -1, 1099, 1199)).toEqual({ count: 4, lapsesAtMs: 1100 })
    expect(await store.addToCounter('a', 0, 1099, 1199)).toEqual({ count: 4, lapsesAtMs: 1100 })
    expect(await store.addToCounter('a', 1, 1100, 1200)).toEqual({ count: 1, lapsesAtMs: 1200 })
    expect(await store.addToCounter('b', -7, 1000, 1100)).toEqual({ count: -7, lapsesAtMs: 1100 })
    await store.removeCounter('a')
    await store.removeCounter('a')
    expect(await store.addToCounter('a', 1, 1100, 1300)).toEqual({ count: 1, lapsesAtMs: 1300 })
    expect(await store.addToCounter('b', 0, 1000, 1100)).toMatchObject({ count: -7 })
  })

  test('of a hundred calls that add to a counter each sees a number of its own', async () => {
    const added = await Promise.all(Array.from({ length: 100 }, () => store.addToCounter('a', 1, 1000, 2000)))
    expect(added.map(({ count }) => count).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 1),
    )
  })

  const admission = (decide: Admission['decide']): Admission => ({
    notes: ['a', 'nothing'],
    countedSinceMs: [0, HOUR_MS],
    inFlight: { token: 'print', kinds: ['api.read'], sinceMs: 500 },
    decide,
  })

  test('an admission sees notes, counts, what is in flight and the newest request, without its own (8.2)', async () => {
    await store.changeNote('a', () => ({ limit: 60 }), FAR_MS)
    await store.reserve(entry('before', { atMs: 499 }))
    await store.reserve(entry('flying'))
    await store.reserve(entry('other kind', { kind: 'rate_limit' }))
    await store.reserve(entry('other token', { token: 'other', atMs: HOUR_MS + 1 }))
    await store.reserve(entry('elsewhere', { organization: '8', atMs: DAY_MS }))
    await store.reserve(entry('done'))
    await store.settle('done', { outcome: 'settled', status: 200 }, 1001)
    let seen: unknown
    await store.reserve(
      entry('new'),
      admission((known) => {
        seen = known
      }),
    )
    expect(seen).toEqual({
      notes: [{ limit: 60 }, undefined],
      counts: [
        expect.arrayContaining([
          { kind: 'api.read', outcome: 'reserved', succeeded: false, count: 3 },
          { kind: 'rate_limit', outcome: 'reserved', succeeded: false, count: 1 },
          { kind: 'api.read', outcome: 'settled', succeeded: true, count: 1 },
        ]),
        [{ kind: 'api.read', outcome: 'reserved', succeeded: false, count: 1 }],
      ],
      // Of the token, whatever the organization.
      inFlight: 2,
      newestAtMs: HOUR_MS + 1,
    })
    await store.reserve(
      entry('first', { organization: 'new' }),
      admission((known) => {
        seen = known
      }),
    )
    expect(seen).toMatchObject({ counts: [[], []], inFlight: 3, newestAtMs: undefined })
  })

  test('an admission that refuses by throwing writes nothing, and what is written with it stays (8.2)', async () => {
    const refusal = new RangeError('refused')
    const refuse = admission(() => {
      throw refusal
    })
    const results = await Promise.allSettled([
      store.reserve(entry('a')),
      store.reserve(entry('refused'), refuse),
      store.changeNote('note', () => 1, FAR_MS),
      store.reserve(entry('b')),
    ])
    expect(results.map((result) => (result.status === 'rejected' ? result.reason : 'written'))).toEqual([
      'written',
      refusal,
      'written',
      'written',
    ])
    expect(await store.countSent('print', ['api.read'], 0)).toBe(2)
    expect(await store.readNote('note')).toBe(1)
    // Its id is free.
    await store.reserve(entry('refused'))
  })

  test('of thirty requests for the last ten places ten are recorded (8.2)', async () => {
    const last = admission(({ counts: [rows], inFlight }) => {
      // Both agree at each step.
      expect(rows?.[0]?.count ?? 0).toBe(inFlight)
      if (inFlight >= 10) throw new RangeError('none left')
    })
    const results = await Promise.allSettled(
      Array.from({ length: 30 }, (_, nth) => store.reserve(entry(`${nth}`), last)),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    expect(await store.countInFlight('print', ['api.read'], 0)).toBe(10)
  })

  test('a request takes a claim in one step with its record, when its admission states how long it lasts (8.3)', async () => {
    const claiming = (lapsesAtMs: number | undefined): Admission => ({
      ...admission(({ claimedUntilMs = 0 }) => {
        if (claimedUntilMs > 1000) throw new RangeError('taken')
        return lapsesAtMs
      }),
      claim: 'the claim',
    })
    const { decide: _, ...asked } = claiming(undefined)
    const claimed = async () => (await store.readAdmissionState('7', asked)).claimedUntilMs
    await store.reserve(entry('takes none'), claiming(undefined))
    expect(await claimed()).toBeUndefined()
    const results = await Promise.allSettled(
      ['a', 'b', 'c'].map((id) => store.reserve(entry(id), claiming(2000))),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await claimed()).toBe(2000)
    expect(await store.claim('the claim', 1999, 3000)).toBe(false)
    expect(await store.countSent('print', ['api.read'], 0)).toBe(2)
  })

  test('what an admission would see is read without a record; the token endpoint is not its newest request (8.2)', async () => {
    const { decide: _, ...asked } = admission(() => undefined)
    await store.reserve(entry('read'))
    await store.reserve(entry('later', { kind: 'token.refresh', atMs: HOUR_MS }))
    const seen = await store.readAdmissionState('7', asked)
    expect(seen).toMatchObject({ inFlight: 1, newestAtMs: 1000, claimedUntilMs: undefined })
    expect(await store.readAdmissionState('7', asked)).toEqual(seen)
  })

  test('what is in flight is what has no settlement yet (8.2)', async () => {
    for (const id of ['a', 'b', 'c']) await store.reserve(entry(id))
    await store.reserve(entry('other', { token: 'other' }))
    await store.reserve(entry('old', { atMs: 999 }))
    await store.settle('a', { outcome: 'uncertain' }, 1001)
    expect(await store.countInFlight('print', ['api.read'], 1000)).toBe(2)
    expect(await store.countInFlight('print', ['rate_limit'], 0)).toBe(0)
    expect(await store.countSent('print', ['api.read'], 1000)).toBe(3)
  })

  test('what is read of many is in their order, with nothing where there is none (8.2)', async () => {
    await store.writeSession('a', session(Uint8Array.of(1)), 0)
    await store.writeSession('b', session(Uint8Array.of(1)), 0)
    await store.writeSession('b', session(Uint8Array.of(2)), 1)
    expect(await store.readSessionVersions(['b', 'none', 'a', 'b'])).toEqual([2, undefined, 1, 2])
    await store.endSession('b')
    expect(await store.readSessionVersions(['a', 'b'])).toEqual([1, undefined])
    await store.changeNote('one', () => ({ n: 1 }), FAR_MS)
    await store.changeNote("it's", () => [2], FAR_MS)
    expect(await store.readNotes(["it's", 'none', 'one'])).toEqual([[2], undefined, { n: 1 }])
    for (const id of ['x', 'y', 'z']) await store.reserve(entry(id))
    await store.reserve(entry('other', { token: 'other' }))
    await store.reserve(entry('old', { token: 'other', atMs: 999 }))
    await store.settle('x', { outcome: 'uncertain' }, 1001)
    expect(await store.countEachInFlight(['none', 'print', 'other'], ['api.read'], 1000)).toEqual([0, 2, 1])
    expect(await store.countEachInFlight(['print'], ['rate_limit'], 0)).toEqual([0])
    const ids = Array.from({ length: 64 }, (_, nth) => `${nth}`)
    expect(await store.readNotes(ids)).toEqual(ids.map(() => undefined))
  })

  const guest = `${UNPROVEN}a`

  test('what an unproven name sent counts for the organization that it is attributed to, also what comes later (8.3)', async () => {
    await store.reserve(entry('done', { organization: guest }))
    await store.settle('done', { outcome: 'settled', status: 200 }, 1001)
    await store.reserve(entry('flying', { organization: guest }))
    await store.reserve(entry('own'))
    await store.reserve(entry('stranger', { organization: `${guest}b` }))
    expect(await store.countByKind(guest, 0)).toHaveLength(2)

    await store.attribute(guest, '7', 2000)
    await store.attribute(guest, '8', 2000)
    await store.settle('flying', { outcome: 'uncertain' }, 2001)
    await store.reserve(entry('late', { organization: guest, atMs: 2000 }))
    const counts = await store.countByKind('7', 0)
    expect(counts).toHaveLength(3)
    expect(counts).toEqual(
      expect.arrayContaining([
        { kind: 'api.read', outcome: 'settled', succeeded: true, count: 1 },
        { kind: 'api.read', outcome: 'uncertain', succeeded: false, count: 1 },
        { kind: 'api.read', outcome: 'reserved', succeeded: false, count: 2 },
      ]),
    )
    expect(await Promise.all([guest, '8'].map((name) => store.countByKind(name, 0)))).toEqual([[], []])
    expect(await store.countByKind(`${guest}b`, 0)).toHaveLength(1)
  })

  test('the requests of an organization are attributed to no other (8.3)', async () => {
    await store.reserve(entry('a'))
    await expect(store.attribute('7', '8', 2000)).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(await store.countByKind('8', 0)).toEqual([])
    expect(await store.countByKind('7', 0)).toHaveLength(1)
  })

  test('an hour after it was sent, what no one was proven to have sent is forgotten, and the rest stays (8.3)', async () => {
    for (const [id, organization, atMs] of [
      ['old', guest, 1000],
      ['settled', guest, 1000],
      ['new', guest, 1001],
      ['proven', `${guest}b`, 1000],
      ['own', '7', 1000],
    ] as const) {
      await store.reserve(entry(id, { organization, atMs }))
    }
    await store.settle('settled', { outcome: 'settled', status: 401 }, 1002)
    await store.settle('own', { outcome: 'settled', status: 200 }, 1002)
    await store.attribute(`${guest}b`, '8', 2000)
    await store.sweep(1000 + HOUR_MS)
    const one = { kind: 'api.read', succeeded: false, count: 1 }
    expect(await store.countByKind(guest, 0)).toEqual([{ ...one, outcome: 'reserved' }])
    expect(await store.countByKind('8', 0)).toEqual([{ ...one, outcome: 'reserved' }])
    await store.sweep(30 * DAY_MS)
    expect(await store.countByKind(guest, 0)).toEqual([])
    expect(await store.countByKind('7', 0)).toEqual([{ ...one, outcome: 'settled', succeeded: true }])
    expect(await store.countSent('print', ['api.read'], 0)).toBe(2)
    // A settlement that comes after that is of nothing.
    await store.settle('new', { outcome: 'uncertain' }, FAR_MS)
    expect(await store.countByKind(guest, 0)).toEqual([])
  })

  test('what lapses is forgotten: counters, and attributions after a day', async () => {
    await store.addToCounter('a', 5, 0, 1000)
    await store.attribute(guest, '7', 1000)
    await store.sweep(999 + DAY_MS)
    await store.reserve(entry('a', { organization: guest }))
    await store.sweep(1000 + DAY_MS)
    await store.reserve(entry('b', { organization: guest }))
    expect(await store.countByKind('7', 0)).toMatchObject([{ count: 1 }])
    // Even for a clock that goes backwards.
    expect(await store.addToCounter('a', 1, 0, 1000)).toMatchObject({ count: 1 })
  })

  test('entries are listed newest first, page after page, each with its end and its owner (8.3)', async () => {
    for (const [id, atMs] of [
      ['a', 1000],
      ['c', 2000],
      ['b', 2000],
      ['d', 3000],
      ['old', 999],
    ] as const)
      await store.reserve(entry(id, { atMs, owner: `owner of ${id}` }))
    await store.reserve(entry('other', { organization: '8', atMs: 2500 }))
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
  })

  test('a cursor of another organization, or of none, lists nothing (8.3)', async () => {
    await store.reserve(entry('other', { organization: '8' }))
    for (const before of ['other', 'nothing', ''])
      expect(await store.listEntries('7', { sinceMs: 0, most: 9, before })).toBeUndefined()
  })

  test('an entry without token or owner is listed without them', async () => {
    const { token: _, ...without } = entry('a')
    await store.reserve(without)
    expect(await store.listEntries('7', { sinceMs: 0, most: 9 })).toEqual([
      { ...without, outcome: 'reserved' },
    ])
  })

  test('requests are counted from any instant on, to the millisecond (8.3)', async () => {
    const base = 3 * DAY_MS + 100 * 60_000
    for (let nth = 0; nth < 40; nth += 1)
      await store.reserve(entry(`${nth}`, { atMs: base + nth * 7 * 60_000 }))
    for (const since of [
      base,
      base + 1,
      base + 7 * 60_000,
      base + 100 * 60_000,
      base + 39 * 7 * 60_000 + 1,
    ]) {
      const expected = Array.from({ length: 40 }, (_, nth) => base + nth * 7 * 60_000).filter(
        (at) => at >= since,
      )
      const counts = await store.countByKind('7', since)
      expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(expected.length)
    }
  })

  test('requests are counted by day of UTC and sort, the newest day first (8.3)', async () => {
    await store.reserve(entry('a', { atMs: DAY_MS - 1 }))
    await store.reserve(entry('b', { atMs: DAY_MS }))
    await store.reserve(entry('c', { atMs: DAY_MS + 5 }))
    await store.reserve(entry('d', { atMs: DAY_MS + 5, kind: 'rate_limit' }))
    await store.reserve(entry('other', { atMs: DAY_MS, organization: '8' }))
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

  test('what had no answer at an instant is counted, whatever came later (8.3)', async () => {
    for (const [id, atMs] of [
      ['a', 1000],
      ['b', 1001],
      ['c', 2000],
      ['d', 2001],
    ] as const)
      await store.reserve(entry(id, { atMs }))
    await store.reserve(entry('other', { organization: '8', atMs: 1500 }))
    await store.settle('b', { outcome: 'settled', status: 200 }, 2000)
    await store.settle('c', { outcome: 'uncertain' }, 2001)
    expect(await store.countUnanswered('7', 1001, 2000)).toBe(1)
    expect(await store.countUnanswered('7', 1000, 1999)).toBe(2)
    expect(await store.countUnanswered('7', 1000, 2001)).toBe(2)
  })

  const reading = (id: string, differing: Partial<StoredReading> = {}): StoredReading => ({
    id,
    count: 32,
    readAtMs: 1000,
    inFlight: 0,
    monthWasReset: false,
    owner: 'owner',
    ...differing,
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

  test('an admission sees the newest reading, and what was recorded after it (8.3)', async () => {
    const asked = { notes: [], countedSinceMs: [], inFlight: { token: 'x', kinds: [], sinceMs: 0 } }
    expect(await store.readAdmissionState('7', asked)).toMatchObject({ sinceReading: undefined })
    await store.reserve(entry('before', { atMs: DAY_MS }))
    await store.reserve(entry('after', { atMs: DAY_MS + 1 }))
    await store.addReading('7', reading('a', { readAtMs: DAY_MS }))
    await store.addReading('7', reading('older', { readAtMs: DAY_MS - 1 }))
    const { sinceReading } = await store.readAdmissionState('7', asked)
    expect(sinceReading?.reading).toEqual(reading('a', { readAtMs: DAY_MS }))
    expect(sinceReading?.counts).toMatchObject([{ count: 1 }])
  })

  describe('watching', () => {
    const ends: (() => void)[] = []
    afterEach(() => {
      for (const end of ends.splice(0)) end()
    })
    const watch = async (...topics: Topic[]) => {
      let calls = 0
      ends.push(await store.watch(topics, () => (calls += 1)))
      return () => calls
    }

    test.each<[string, Topic, (() => Promise<unknown>)?]>([
      ['a request', 'organization 7'],
      ['a settlement', 'organization 7'],
      ['a reading', 'organization 7'],
      ['a removed reading', 'organization 7'],
      ['an attribution', 'organization 7'],
      ['a note', 'token x'],
      ['a changed note', 'token x'],
      ['a removed note', 'token x'],
      ['a changed session', 'session a'],
      ['an ended session', 'session a'],
    ])('%s reaches those who watch %s, and to no other', async (what, topic) => {
      await store.reserve(entry('one'))
      await store.reserve(entry('guest', { organization: `${UNPROVEN}x` }))
      await store.addReading('7', reading('r'))
      await store.changeNote('token x', () => 1, FAR_MS)
      await store.writeSession('a', session(Uint8Array.of(1)), 0)
      const version = await store.readVersion()
      const called = await watch(topic)
      const others = await watch('organization 8', 'token y', 'service s', 'session b')
      const acts: Record<string, () => Promise<unknown>> = {
        'a request': () => store.reserve(entry('two')),
        'a settlement': () => store.settle('one', { outcome: 'uncertain' }, 5),
        'a reading': () => store.addReading('7', reading('s')),
        'a removed reading': () => store.removeReading('7', 'r', 5),
        'an attribution': () => store.attribute(`${UNPROVEN}x`, '7', 5),
        'a note': () => store.changeNote('token x', () => 2, FAR_MS),
        'a changed note': () => store.changeNote('token x', () => 1, FAR_MS),
        'a removed note': () => store.changeNote('token x', () => undefined, FAR_MS),
        'a changed session': () => store.writeSession('a', session(Uint8Array.of(2)), 1),
        'an ended session': () => store.endSession('a'),
      }
      await acts[what]?.()
      expect([called(), others()]).toEqual([1, 0])
      expect(await store.readVersion()).toBeGreaterThan(version)
    })

    test('a new note is seen, and one that no topic names is not numbered', async () => {
      const called = await watch('service https://s.example')
      const version = await store.readVersion()
      await store.changeNote('refresh x', () => 1, FAR_MS)
      await store.claim('name', 0, FAR_MS)
      expect([called(), await store.readVersion()]).toEqual([0, version])
      await store.changeNote('service https://s.example', () => 1, FAR_MS)
      expect(called()).toBe(1)
    })

    test('who has ended watching is not called, and the others are', async () => {
      const ended = await watch('organization 7')
      const goesOn = await watch('organization 7')
      ends.shift()?.()
      await store.reserve(entry('a'))
      expect([ended(), goesOn()]).toEqual([0, 1])
    })

    test('a request that is refused is no change', async () => {
      const called = await watch('organization 7')
      const decide = () => {
        throw new RangeError('no')
      }
      const admission = {
        notes: [],
        countedSinceMs: [],
        inFlight: { token: 'x', kinds: [], sinceMs: 0 },
        decide,
      }
      await expect(store.reserve(entry('a'), admission)).rejects.toThrow(RangeError)
      expect(called()).toBe(0)
    })

    test('changes keep their numbers when a sweep forgets the old ones', async () => {
      const version = await store.readVersion()
      await store.changeNote('token x', () => 1, 5)
      await store.sweep(FAR_MS)
      expect(await store.readVersion()).toBeGreaterThan(version)
      const called = await watch('token x')
      await store.changeNote('token x', () => 1, FAR_MS)
      expect(called()).toBe(1)
    })
  })
})
