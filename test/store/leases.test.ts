// Runs against every adapter.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS } from '../../src/contract/duration.ts'
import type { Store } from '../../src/store/store.ts'
import { ADAPTERS, FAR_MS } from '../kit/stores.ts'

describe.each(ADAPTERS)('%s', (_name, open) => {
  let store: Store
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())

  test('of twenty calls that claim a name, one gets it, and again one after it has lapsed', async () => {
    const claims = (nowMs: number) =>
      Promise.all(Array.from({ length: 20 }, () => store.claim('name', nowMs, nowMs + 100)))
    expect((await claims(1000)).filter(Boolean)).toHaveLength(1)
    expect((await claims(1099)).filter(Boolean)).toHaveLength(0)
    expect((await claims(1100)).filter(Boolean)).toHaveLength(1)
    expect(await store.claim('other', 1000, 2000)).toBe(true)
  })

  test('of twenty calls that want a lease, one gets it, and again one when it has lapsed (5.4.4)', async () => {
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

  test('a lease is released by its holder only (5.4.4)', async () => {
    const fence = (await store.acquireLease('a', 0, 100)) as number
    await store.releaseLease('a', fence + 1)
    expect(await store.acquireLease('a', 50, 150)).toBeUndefined()
    await store.releaseLease('a', fence)
    await store.releaseLease('a', fence)
    expect(await store.renewLease('a', fence, 900)).toBe(false)
    expect(await store.acquireLease('a', 50, 150)).toBeGreaterThan(fence)
  })

  test('a change of a note releases the lease that it names, for its holder only (5.4.4)', async () => {
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
    // The end of a started window stays.
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
})
