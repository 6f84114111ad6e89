// Runs against every adapter.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Store, UNPROVEN } from '../../src/store/store.ts'
import { ADAPTERS, entry, FAR_MS, link, session, readNote } from '../kit/stores.ts'

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

  test('of several writers that have seen the same version of a session, one wins', async () => {
    const write = (byte: number, seen: number) => store.writeSession('a', session(Uint8Array.of(byte)), seen)
    const won = async (...writes: Promise<boolean>[]) => (await Promise.all(writes)).filter(Boolean).length
    expect(await won(write(1, 0), write(2, 0))).toBe(1)
    expect(await won(write(3, 1), write(4, 1), write(6, 9))).toBe(1)
    expect(await won(write(5, 2))).toBe(1)
    expect(await store.readSession('a')).toMatchObject({ encrypted: Uint8Array.of(5), version: 3 })
  })

  test('a session that was ended is gone, and no late writer brings it back', async () => {
    await store.writeSession('a', session(Uint8Array.of(1)), 0)
    await store.writeSession('b', session(Uint8Array.of(3)), 0)
    expect([await store.endSession('a'), await store.endSession('a')]).toEqual([true, false])
    expect(await store.readSession('b')).toBeDefined()
    expect(await store.writeSession('a', session(Uint8Array.of(2)), 1)).toBe(false)
    expect(await store.readSession('a')).toBeUndefined()
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

  test('a note is any JSON, and is removed by a change to nothing', async () => {
    const value = { text: 'µ\u0000', list: [1, null, { deep: -0.5 }], no: false }
    expect(await readNote(store, 'a')).toBeUndefined()
    expect(await store.changeNote('a', () => value, FAR_MS)).toEqual(value)
    expect(await readNote(store, 'a')).toEqual(value)
    expect(await store.changeNote('a', (known) => [known], FAR_MS)).toEqual([value])
    expect(await readNote(store, 'a')).toEqual([value])
    expect(await store.changeNote('a', () => undefined, FAR_MS)).toBeUndefined()
    expect(await readNote(store, 'a')).toBeUndefined()
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

  test('a note or session lapses when its last change says', async () => {
    await store.changeNote('a', () => 1, 1000)
    await store.changeNote('a', () => 2, 2000)
    await store.writeSession('a', session(Uint8Array.of(1), 1000), 0)
    await store.writeSession('a', session(Uint8Array.of(2), 2000), 1)
    await store.sweep(1000)
    expect(await readNote(store, 'a')).toBe(2)
    expect(await store.readSession('a')).toEqual({ ...session(Uint8Array.of(2), 2000), version: 2 })
    await store.sweep(2000)
    expect([await readNote(store, 'a'), await store.readSession('a')]).toEqual([undefined, undefined])
  })

  test('what has ended by the clock of the host alone stays; what is free once it lapses goes', async () => {
    const guest = `${UNPROVEN}a`
    await store.writeSession('a', session(Uint8Array.of(1), 1001), 0)
    await store.changeNote('a', () => 1, 1001)
    await store.addLink(link('a', { endsAtMs: 1001 }))
    await store.addEntry(entry('a', { organization: guest, atMs: 1 }))
    await store.addToCounter('a', 5, 0, 1001)
    await store.sweep(FAR_MS, 1000)
    expect(await store.listLinks('7', 0)).toHaveLength(1)
    expect([await readNote(store, 'a'), (await store.readSession('a'))?.version]).toEqual([1, 1])
    expect(await store.countByKind(guest, 0)).toMatchObject([{ count: 1 }])
    expect(await store.addToCounter('a', 1, 0, 1001)).toMatchObject({ count: 1 })
    await store.sweep(FAR_MS, FAR_MS)
    expect(await store.listLinks('7', 0)).toEqual([])
    expect([await readNote(store, 'a'), await store.readSession('a')]).toEqual([undefined, undefined])
    expect(await store.countByKind(guest, 0)).toEqual([])
  })

  test('text that looks like SQL is only text', async () => {
    const name = `'; DROP TABLE notes; --`
    await store.changeNote(name, () => name, FAR_MS)
    await store.addEntry(entry(name, { organization: name }))
    expect(await readNote(store, name)).toBe(name)
    expect(await store.countByKind(name, 0)).toHaveLength(1)
  })

  test('a closed store answers store_unavailable, and may be closed again', async () => {
    await store.close()
    await store.close()
    const unavailable = { name: 'Problem', code: 'store_unavailable', cause: expect.any(Error) }
    await expect(readNote(store, 'a')).rejects.toMatchObject(unavailable)
    await expect(store.addEntry(entry('a'))).rejects.toMatchObject(unavailable)
    await expect(store.changeNote('a', () => 1, FAR_MS)).rejects.toMatchObject(unavailable)
  })

  test('values that are read of many are in their order, with nothing for a missing one (8.2)', async () => {
    await store.writeSession('a', session(Uint8Array.of(1)), 0)
    await store.writeSession('b', session(Uint8Array.of(1)), 0)
    await store.writeSession('b', session(Uint8Array.of(2)), 1)
    expect(await store.readSessionVersions(['b', 'none', 'a', 'b'])).toEqual([2, undefined, 1, 2])
    await store.endSession('b')
    expect(await store.readSessionVersions(['a', 'b'])).toEqual([1, undefined])
    await store.changeNote('one', () => ({ n: 1 }), FAR_MS)
    await store.changeNote("it's", () => [2], FAR_MS)
    expect(await store.readNotes(["it's", 'none', 'one'])).toEqual([[2], undefined, { n: 1 }])
    for (const id of ['x', 'y', 'z']) await store.addEntry(entry(id))
    await store.addEntry(entry('other', { token: 'other' }))
    await store.addEntry(entry('old', { token: 'other', atMs: 999 }))
    // A token counts in all organizations.
    await store.addEntry(entry('elsewhere', { token: 'other', organization: '8' }))
    await store.settle('x', { outcome: 'uncertain' }, 1001)
    expect(await store.countInFlight(['none', 'print', 'other'], ['api.read'], 1000)).toEqual([0, 2, 2])
    expect(await store.countInFlight(['print'], ['rate_limit'], 0)).toEqual([0])
    const ids = Array.from({ length: 64 }, (_, nth) => `${nth}`)
    expect(await store.readNotes(ids)).toEqual(ids.map(() => undefined))
  })
})
