// Watch links in the store. Runs against every adapter.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { ADAPTERS, link } from '../kit/stores.ts'

const [DAY, NEXT_DAY] = ['2026-11-21', '2026-11-22']

describe.each(ADAPTERS)('%s', (_name, open) => {
  let store: Store
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())

  test('the open links of an organization are listed, the newest first (docs/watch.md)', async () => {
    const [old, young] = [link('x', { madeAtMs: 1 }), link('a', { madeAtMs: 2, name: "Ada's µ" })]
    const others = [link('ended', { endsAtMs: 4000 }), link('strange', { organization: '8' })]
    for (const one of [young, ...others, old]) await store.addLink(one)
    expect(await store.listLinks('7', 4000)).toEqual([young, old])
    expect(await store.listLinks('7', 3999)).toHaveLength(3)
    expect(await store.listLinks('9', 0)).toEqual([])
  })

  test('links are found by their hashes in every organization, without those that have ended (L7)', async () => {
    const [one, other] = [link('one'), link('other', { organization: '8' })]
    for (const added of [one, other, link('ended', { endsAtMs: 4000 })]) await store.addLink(added)
    const found = await store.readLinks(['other', 'ended', 'unknown', 'one', 'one'], 4000)
    expect(new Map(found)).toEqual(new Map([one, other].map((each) => [each.hash, each])))
    expect((await store.readLinks([], 0)).size).toBe(0)
  })

  test('the first use of each day stays, and an unknown link has none (docs/watch.md)', async () => {
    await store.addLink(link('a'))
    const use = async (day: string, browser: string) => {
      await store.noteLinkUse('a', day, browser)
      const { usedDay, usedBy } = (await store.listLinks('7', 0))[0] ?? {}
      return [usedDay, usedBy]
    }
    await store.noteLinkUse('unknown', DAY, 'curl')
    expect(await use(DAY, 'Safari on Mac')).toEqual([DAY, 'Safari on Mac'])
    expect(await use(DAY, 'curl')).toEqual([DAY, 'Safari on Mac'])
    expect(await use(NEXT_DAY, 'curl')).toEqual([NEXT_DAY, 'curl'])
  })

  test('a withdrawn link is gone, no late use brings it back, and others stay (L6)', async () => {
    for (const hash of ['a', 'b']) await store.addLink(link(hash))
    await store.removeLink('a')
    await store.removeLink('a')
    await store.noteLinkUse('a', DAY, 'curl')
    expect(await store.listLinks('7', 0)).toEqual([link('b')])
  })

  test('a sweep removes the rows of ended links alone (docs/security.md)', async () => {
    await store.addLink(link('old', { endsAtMs: 1000 }))
    await store.addLink(link('new', { endsAtMs: 1001 }))
    await store.sweep(1000)
    expect(await store.listLinks('7', 0)).toEqual([link('new', { endsAtMs: 1001 })])
  })

  test('no two links have one hash, and a transaction that fails makes none (L5)', async () => {
    await store.addLink(link('a'))
    const again = store.transaction(async (tables) => {
      await tables.addLink(link('b'))
      await tables.addLink(link('a', { organization: '8' }))
    })
    await expect(again).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(await store.listLinks('7', 0)).toEqual([link('a')])
  })
})
