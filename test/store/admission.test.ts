// Runs against every adapter.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/contract/duration.ts'
import type { Admission, Store } from '../../src/store/store.ts'
import { ADAPTERS, entry, FAR_MS, reading } from '../kit/stores.ts'

describe.each(ADAPTERS)('%s', (_name, open) => {
  let store: Store
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())

  const admission = (decide: Admission['decide']): Admission => ({
    notes: ['a', 'nothing'],
    countedSinceMs: [0, HOUR_MS],
    inFlight: { token: 'print', kinds: ['api.read'], sinceMs: 500 },
    decide,
  })

  test('an admission sees notes, counts, requests in flight and the newest request, without its own (8.2)', async () => {
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
      // Counts all organizations of the token.
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

  test('an admission that refuses by throwing writes nothing, and the writes beside it stay (8.2)', async () => {
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
    // Its id is still free.
    await store.reserve(entry('refused'))
  })

  test('of thirty requests for the last ten places ten are recorded (8.2)', async () => {
    const last = admission(({ counts: [rows], inFlight }) => {
      // Both numbers agree at each step.
      expect(rows?.[0]?.count ?? 0).toBe(inFlight)
      if (inFlight >= 10) throw new RangeError('none left')
    })
    const results = await Promise.allSettled(
      Array.from({ length: 30 }, (_, nth) => store.reserve(entry(`${nth}`), last)),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    expect(await store.countInFlight('print', ['api.read'], 0)).toBe(10)
  })

  test('a request takes a claim in one step with its record, if its admission states when it lapses (8.3)', async () => {
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

  test('an admission state is read without a record; the token endpoint is not its newest request (8.2)', async () => {
    const { decide: _, ...asked } = admission(() => undefined)
    await store.reserve(entry('read'))
    await store.reserve(entry('later', { kind: 'token.refresh', atMs: HOUR_MS }))
    const seen = await store.readAdmissionState('7', asked)
    expect(seen).toMatchObject({ inFlight: 1, newestAtMs: 1000, claimedUntilMs: undefined })
    expect(await store.readAdmissionState('7', asked)).toEqual(seen)
  })

  test('an admission sees the newest reading, and the requests recorded after it (8.3)', async () => {
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
})
