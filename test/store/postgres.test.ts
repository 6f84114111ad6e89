// PostgreSQL behind a network that is slow, or that has forgotten connections.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startApp, STANDARD } from '../kit/app.ts'
import { DATABASES, openDatabase } from '../kit/stores.ts'

const DELAY_MS = 100

/** Passes on what is sent to a database. Counts how often somebody waited for its answer. */
async function openNetwork(where: string) {
  let [trips, delayMs] = [0, 0]
  const all: Socket[] = []
  let forgotten: readonly Socket[] = []
  const asked = new Set<Socket>()
  const server = createServer((client) => {
    const database = connect(Number(new URL(where).port), '127.0.0.1')
    let isAnswered = true
    all.push(client)
    client.on('error', () => {}).on('close', () => database.destroy())
    database.on('error', () => {}).on('close', () => client.destroy())
    client.on('data', (bytes) => {
      if (forgotten.includes(client)) {
        asked.add(client)
        return
      }
      if (isAnswered) trips += 1
      isAnswered = false
      setTimeout(() => database.write(bytes), delayMs)
    })
    database.on('data', (bytes) => {
      isAnswered = true
      client.write(bytes)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = new URL(where)
  url.port = String((server.address() as AddressInfo).port)
  onTestFinished(() => {
    for (const one of all) one.destroy()
    server.close()
  })
  return {
    url: url.href,
    /** From now on nothing answers on its connections, and nobody says so. @returns how many there were */
    forget: () => {
      forgotten = [...all]
      return forgotten.filter(({ destroyed }) => !destroyed).length
    },
    /** Answers are late from now on, so that each wait can be told from the next. */
    slow: () => {
      ;[trips, delayMs] = [0, DELAY_MS]
    },
    trips: () => trips,
    /** How many of the forgotten connections somebody has waited for. */
    askedInVain: () => asked.size,
  }
}

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
    let trips = 0
    app.intercept((request) => {
      trips = network.trips()
      return app.sandbox.fetch(request)
    })
    network.slow()
    expect((await browser.spend(`/organizations/${STANDARD}`)).status).toBe(200)
    expect(trips).toBeGreaterThan(2)
    expect(trips).toBeLessThanOrEqual(16)
  })

  test('where all connections have been forgotten, what was not sent is tried on a new one (8.3)', async () => {
    const { network, store } = await open()
    await Promise.all(Array.from({ length: 4 }, () => store.readNotes(['a note'])))
    expect(network.forget()).toBeGreaterThan(2)
    expect(await store.readNotes(['a note'])).toEqual([undefined])
    expect(network.askedInVain()).toBe(1)
  })
})
