// Runs against every adapter.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Store, type Topic, UNPROVEN } from '../../src/store/store.ts'
import { ADAPTERS, entry, FAR_MS, link, reading, session } from '../kit/stores.ts'

describe.each(ADAPTERS)('%s', (_name, open) => {
  let store: Store
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())

  const ends: (() => void)[] = []
  afterEach(() => {
    for (const end of ends.splice(0)) end()
  })
  const watch = async (...topics: Topic[]) => {
    let calls = 0
    ends.push(await store.watch(topics, () => (calls += 1)))
    return () => calls
  }

  test.each<[string, Topic, (store: Store) => Promise<unknown>]>([
    ['a request', 'organization 7', (to) => to.addEntry(entry('two'))],
    ['a settlement', 'organization 7', (to) => to.settle('one', { outcome: 'uncertain' }, 5)],
    ['a reading', 'organization 7', (to) => to.addReading('7', reading('s'))],
    ['a removed reading', 'organization 7', (to) => to.removeReading('7', 'r', 5)],
    ['a withdrawn link', 'organization 7', (to) => to.removeLink('h')],
    ['an attribution', 'organization 7', (to) => to.attribute(`${UNPROVEN}x`, '7', 5)],
    ['a note', 'token x', (to) => to.changeNote('token x', () => 2, FAR_MS)],
    ['a removed note', 'token x', (to) => to.changeNote('token x', () => undefined, FAR_MS)],
    ['a changed session', 'session a', (to) => to.writeSession('a', session(Uint8Array.of(2)), 1)],
    ['an ended session', 'session a', (to) => to.endSession('a')],
    ['a changed grant', 'session a', (to) => to.changeGrant('grant', Uint8Array.of(2))],
    ['an ended grant', 'session a', (to) => to.endGrant('grant')],
  ])('%s reaches the watchers of %s, and no others', async (_, topic, act) => {
    await store.addEntry(entry('one'))
    await store.addEntry(entry('guest', { organization: `${UNPROVEN}x` }))
    await store.addReading('7', reading('r'))
    await store.addLink(link('h'))
    await store.changeNote('token x', () => 1, FAR_MS)
    await store.addGrant('grant', Uint8Array.of(1))
    await store.writeSession('a', session(Uint8Array.of(1)), 0)
    const version = await store.readVersion()
    const called = await watch(topic)
    const others = await watch('organization 8', 'token y', 'service s', 'session b')
    await act(store)
    expect([called(), others()]).toEqual([1, 0])
    expect(await store.readVersion()).toBeGreaterThan(version)
  })

  test('a new note is seen; one that no topic names, a new link and its use are not numbered', async () => {
    const called = await watch('service https://s.example')
    const version = await store.readVersion()
    await store.changeNote('refresh x', () => 1, FAR_MS)
    await store.addToCounter('name', 1, 0, FAR_MS)
    await store.addLink(link('h'))
    await store.noteLinkUse('h', '2026-11-21', 'curl')
    await store.removeLink('another')
    expect([called(), await store.readVersion()]).toEqual([0, version])
    await store.changeNote('service https://s.example', () => 1, FAR_MS)
    expect(called()).toBe(1)
  })

  test('a watcher that has ended is not called, and others are, also one with the same function', async () => {
    let calls = 0
    const onChange = () => (calls += 1)
    const end = await store.watch(['organization 7'], onChange)
    ends.push(await store.watch(['organization 7', 'organization 7'], onChange))
    end()
    end()
    await store.addEntry(entry('a'))
    expect(calls).toBe(1)
  })

  test('once the last watcher has ended, the next one hears of changes again', async () => {
    await watch('organization 7')
    ends.shift()?.()
    await store.addEntry(entry('unheard'))
    const called = await watch('organization 7')
    expect(called()).toBe(0)
    await store.addEntry(entry('heard'))
    expect(called()).toBe(1)
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
