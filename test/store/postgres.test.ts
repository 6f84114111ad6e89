// PostgreSQL behind a network that is slow, or that has forgotten connections; and tables of another version.
import type { Socket } from 'node:net'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { SCHEMA_VERSION } from '../../src/store/engine/schema.ts'
import { openForward } from '../../tools/stress/tcp-forward.ts'
import { startApp, STANDARD } from '../kit/app.ts'
import { DATABASES, openDatabase } from '../kit/stores.ts'
import type { Store } from '../../src/store/store.ts'

const DELAY_MS = 100
const FIELDS = ['SFATAL', 'VFATAL', 'C08P01', 'Mserver conn crashed?', '']
  .map((field) => `${field}\0`)
  .join('')
/** What pgbouncer sends in the name of a server that has gone. */
const CRASHED = Buffer.concat([Buffer.from([69, 0, 0, 0, 4 + FIELDS.length]), Buffer.from(FIELDS)])

/** Counts how often somebody waits for an answer of the database. */
async function openNetwork(where: string) {
  let [waits, delayMs, losesCommit] = [0, 0, false]
  const all: Socket[] = []
  let forgotten: readonly Socket[] = []
  const asked = new Set<Socket>()
  const { port } = new URL(where)
  const forward = await openForward(`http://127.0.0.1:${port}`, (client, database) => {
    // What opens a connection is no question.
    let isWaiting = true
    let isLost = false
    all.push(client)
    client.on('data', (bytes) => {
      if (forgotten.includes(client)) {
        asked.add(client)
        return
      }
      if (losesCommit && bytes.includes('COMMIT')) [losesCommit, isLost] = [false, true]
      if (!isWaiting) waits += 1
      isWaiting = true
      setTimeout(() => database.write(bytes), delayMs)
    })
    database.on('data', (bytes) => {
      isWaiting = false
      if (!isLost) client.write(bytes)
      else client.end(CRASHED)
    })
  })
  onTestFinished(forward.close)
  return {
    url: where.replace(port, new URL(forward.url).port),
    /** From now on nothing answers on its connections, and nobody says so. @returns how many there were */
    forget: () => {
      forgotten = [...all]
      return forgotten.filter(({ destroyed }) => !destroyed).length
    },
    /** Answers are late from now on, so that each wait can be told from the next. */
    slow: () => {
      ;[waits, delayMs] = [0, DELAY_MS]
    },
    waits: () => waits,
    /** The next COMMIT is carried out, and its client hears that the server has gone. */
    loseCommit: () => {
      losesCommit = true
    },
    /** How many of the forgotten connections somebody has waited for. */
    askedInVain: () => asked.size,
  }
}

/** The next statement of this kind finds its connection ended, as Node and OpenSSL say it. */
function breakAt(statement: string, code: string): void {
  const prototype = Client.prototype as unknown as { query: (...all: unknown[]) => Promise<unknown> }
  const { query } = prototype
  const spy = vi.spyOn(prototype, 'query').mockImplementation(function (this: Client, ...all) {
    if (!String(all[0]).startsWith(statement)) return query.apply(this, all)
    spy.mockRestore()
    return Promise.reject(Object.assign(new Error('it has ended'), { code }))
  })
  onTestFinished(() => spy.mockRestore())
}

const count = (store: Store, by: number) =>
  store.transaction((tables) => tables.addToCounter('presses', by, 0, Number.MAX_SAFE_INTEGER))

describe.each(DATABASES.filter(([name]) => name === 'PostgreSQL'))('%s over a network', (_, make) => {
  const open = async () => {
    const network = await openNetwork(await make())
    const store = await openDatabase(network.url)
    onTestFinished(() => store.close())
    return { network, store, app: startApp({ store }) }
  }

  test('a press waits for at most 16 answers of the store before the service has it (8.3)', async () => {
    const { network, app } = await open()
    const browser = app.browser()
    await browser.signIn()
    app.advance(5000)
    let waits = 0
    app.intercept((request) => {
      waits = network.waits()
      return app.sandbox.fetch(request)
    })
    network.slow()
    expect((await browser.spend(`/organizations/${STANDARD}`)).status).toBe(200)
    expect(waits).toBeGreaterThan(2)
    expect(waits).toBeLessThanOrEqual(16)
  })

  test('a commit that pgbouncer lost, and that was carried out, is not made twice (attack 74)', async () => {
    const { network, store } = await open()
    network.loseCommit()
    await expect(count(store, 1)).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(await count(store, 0)).toMatchObject({ count: 1 })
  })

  test.each(['EPIPE', 'ERR_STREAM_DESTROYED', 'ERR_SSL_BAD_RECORD_TYPE'])(
    'a connection that ends with %s is tried anew, but not after its commit (8.3, attack 59)',
    async (code) => {
      const { store } = await open()
      breakAt('INSERT', code)
      expect(await count(store, 1)).toMatchObject({ count: 1 })
      breakAt('COMMIT', code)
      await expect(count(store, 1)).rejects.toMatchObject({ code: 'store_unavailable' })
    },
  )

  test('a defect of ours in a transaction is no failure of the store (8.3)', async () => {
    const { store } = await open()
    const defect = Object.assign(new TypeError('a defect'), { code: 'ERR_INVALID_ARG_TYPE' })
    await expect(store.transaction(() => Promise.reject(defect))).rejects.toBe(defect)
  })

  test('where all connections have been forgotten, what was not sent is tried on a new one (8.3)', async () => {
    const { network, store } = await open()
    await Promise.all(Array.from({ length: 4 }, () => store.readNotes(['a note'])))
    expect(network.forget()).toBeGreaterThan(2)
    expect(await store.readNotes(['a note'])).toEqual([undefined])
    expect(network.askedInVain()).toBe(1)
  })

  test('a statement that nobody waits for any more is ended by the server, and not sent again (8.3)', async () => {
    const where = await make()
    const store = await openDatabase(where)
    onTestFinished(() => store.close())
    const client = new Client(where)
    await client.connect()
    onTestFinished(() => client.end())
    await client.query(`
      CREATE FUNCTION pause() RETURNS trigger AS 'BEGIN PERFORM pg_sleep(60); RETURN NULL; END' LANGUAGE plpgsql;
      CREATE TRIGGER slow BEFORE DELETE ON grants FOR EACH STATEMENT EXECUTE FUNCTION pause()`)
    await expect(store.sweep(Date.now())).rejects.toMatchObject({ code: 'store_unavailable' })
    const { rows } = await client.query(
      `SELECT query FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'DELETE FROM grants%'`,
    )
    expect(rows).toEqual([])
  })

  test('tables of an earlier version are refused in words, and stay as they are (attack 74)', async () => {
    const where = await make()
    await (await openDatabase(where)).close()
    const client = new Client(where)
    await client.connect()
    onTestFinished(() => client.end())
    await client.query('UPDATE schema_version SET version = version - 1')
    const reason = `its tables were made by another version of Plimsoll (schema ${SCHEMA_VERSION - 1}).`
    await expect(openDatabase(where)).rejects.toThrow(reason)
    expect((await client.query('SELECT version FROM schema_version')).rows).toEqual([
      { version: SCHEMA_VERSION - 1 },
    ])
  })
})
