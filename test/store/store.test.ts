// What every adapter of the store has to do; each test runs against each of them.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSqlite } from '../../src/store/sqlite.ts'
import type { LedgerEntry, Store } from '../../src/store/store.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
let files = 0
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ADAPTERS: [name: string, open: () => Store][] = [
  ['SQLite in a file', () => openSqlite(join(folder, `${(files += 1)}.db`))],
  ['SQLite in memory', () => openSqlite(':memory:')],
]
const FAR_MS = 4e12

const entry = (id: string, differing: Partial<LedgerEntry> = {}): LedgerEntry => ({
  id,
  organization: '7',
  token: 'print',
  kind: 'api.read',
  method: 'GET',
  path: '/organizations/{id}',
  initiator: 'person',
  atMs: 1000,
  ...differing,
})

describe.each(ADAPTERS)('%s', (_name, open) => {
  let store: Store
  beforeEach(() => {
    store = open()
  })
  afterEach(() => store.close())

  test('a session is read as it was written, byte by byte', async () => {
    const encrypted = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    expect(await store.readSession('a')).toBeUndefined()
    expect(await store.writeSession('a', { encrypted: encrypted.subarray(1, 200), endsAtMs: 5000 }, 0)).toBe(
      true,
    )
    expect(await store.readSession('a')).toEqual({
      encrypted: encrypted.slice(1, 200),
      endsAtMs: 5000,
      version: 1,
    })
  })

  test('of writers that have seen the same version of a session one wins', async () => {
    const write = (byte: number, seen: number) =>
      store.writeSession('a', { encrypted: Uint8Array.of(byte), endsAtMs: 5000 }, seen)
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
    await store.writeSession('a', { encrypted: Uint8Array.of(1), endsAtMs: 5000 }, 0)
    await store.writeSession('b', { encrypted: Uint8Array.of(3), endsAtMs: 5000 }, 0)
    await store.endSession('a')
    await store.endSession('a')
    expect(await store.readSession('b')).toBeDefined()
    expect(await store.writeSession('a', { encrypted: Uint8Array.of(2), endsAtMs: 5000 }, 1)).toBe(false)
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
    for (const id of ['a', 'b', 'c', 'd', 'e']) await store.reserve(entry(id))
    await store.reserve(entry('f', { kind: 'token.refresh' }))
    await store.reserve(entry('before', { atMs: 999 }))
    await store.reserve(entry('elsewhere', { organization: '8' }))
    await store.settle('a', { outcome: 'settled', status: 200 }, 1001)
    await store.settle('b', { outcome: 'settled', status: 299 }, 1001)
    await store.settle('c', { outcome: 'settled', status: 429 }, 1001)
    for (const status of [199, 300]) {
      await store.reserve(entry(`${status}`))
      await store.settle(`${status}`, { outcome: 'settled', status }, 1001)
    }
    await store.settle('d', { outcome: 'uncertain' }, 1001)

    const counts = await store.countByKind('7', 1000)
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
    await store.writeSession('a', { encrypted: Uint8Array.of(1), endsAtMs: 1000 }, 0)
    await store.writeSession('a', { encrypted: Uint8Array.of(2), endsAtMs: 2000 }, 1)
    await store.sweep(1000)
    expect(await store.readNote('a')).toBe(2)
    expect(await store.readSession('a')).toEqual({
      encrypted: Uint8Array.of(2),
      endsAtMs: 2000,
      version: 2,
    })
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
      await store.writeSession(name, { encrypted: Uint8Array.of(1), endsAtMs }, 0)
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
})
