// Three bffs as on three machines, with their own connections to one PostgreSQL, and browsers that any answers.
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { OwnSessions } from '../../src/contract/session.ts'
import { startApp, type App, STANDARD } from '../kit/app.ts'
import { type Person } from '../kit/person.ts'
import { DATABASES, entry, openDatabase } from '../kit/stores.ts'
import { throughAnother } from '../kit/processes.ts'
import { replaceIn } from '../kit/store-methods.ts'
import { pair } from './pairing/_pairing.ts'

const PATH = `/organizations/${STANDARD}`
const ROUNDS = 5

/** The answer says how many reads of the minute are left. */
async function withLeft(answer: Response, left: number, nowMs: number): Promise<Response> {
  const headers = new Headers(answer.headers)
  headers.set('X-RateLimit-Limit', '60')
  headers.set('X-RateLimit-Remaining', String(left))
  headers.set('X-RateLimit-Reset', String(Math.floor(nowMs / 1000) + 60))
  return new Response(await answer.text(), { status: answer.status, headers })
}

// The run reports that PostgreSQL is missing.
describe.each(DATABASES.filter(([name]) => name === 'PostgreSQL'))(
  'three machines over one %s',
  (_, make) => {
    let machines: [App, App, App]
    let first: App
    beforeEach(async () => {
      const where = await make()
      first = startApp({ store: await openDatabase(where) })
      machines = [first, first.another(await openDatabase(where)), first.another(await openDatabase(where))]
    })
    // The server of the tests has a hundred connections, and a machine keeps up to ten.
    afterEach(() => Promise.all(machines.map(({ store }) => store.close())))
    /** The browser presses this often through each machine, all at once. */
    const press = (browser: Person, times: number) =>
      Promise.all(
        machines.flatMap((machine) => {
          const same = throughAnother(browser, machine)
          return Array.from({ length: times }, () => same.spend(PATH))
        }),
      )
    const paid = () => machines.flatMap((machine) => machine.paid()).length
    const refreshes = () => machines.flatMap((machine) => machine.tokenRequests()).length

    test('at 99 of 100 requests of the month one of 60 presses is sent (8.3)', async () => {
      const browser = first.browser()
      await browser.signIn()
      const { high } = (await browser.quota()).month
      for (let nth = high; nth < 99; nth += 1)
        await first.store.addEntry(entry(`other ${nth}`, { organization: STANDARD, atMs: first.now() }))
      first.advance(1)
      const before = paid()
      await press(browser, 20)
      expect(paid() - before).toBe(1)
      expect((await browser.quota()).month).toMatchObject({ high: 100 })
    })

    test('of a press and a sign-in with one API key, one gets the last read of the minute, each time (8.2)', async () => {
      const [here, there] = machines
      const api_key = first.seed.api_keys[0]?.value ?? ''
      const signIn = (machine: App) =>
        machine.browser().request('POST', '/bff/session', { json: { api_key } })
      const browser = here.browser()
      await browser.request('POST', '/bff/session', { json: { api_key } })
      let left = 1
      for (const machine of [here, there]) {
        machine.intercept(async (request, through) => withLeft(await through(request), left, first.now()))
        replaceIn(machine.store, 'addEntry', (add) => async (row) => {
          await wait(100)
          return add(row)
        })
      }
      for (let round = 0; round < ROUNDS; round += 1) {
        first.advance(120_000)
        left = 1
        await browser.spend('/organizations')
        first.advance(1)
        left = 0
        const before = paid()
        const answers = await Promise.all([browser.spend('/organizations'), signIn(there)])
        expect(paid() - before).toBe(1)
        expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
      }
    })

    test('a NUL in an address finds nothing, and is no failure of the store (attack 44)', async () => {
      const browser = first.browser()
      await browser.signIn()
      for (const [method, path] of [
        ['DELETE', '/bff/readings/%00'],
        ['DELETE', '/bff/sessions/a%00'],
        ['DELETE', '/bff/watch-links/%00'],
        ['GET', '/bff/ledger?next=%00'],
        ['GET', '/watch/quota/%00'],
      ] as const)
        expect([path, (await browser.request(method, path)).status]).toEqual([path, 404])
    })

    test('60 calls with an expired token make one refresh, in each round, and all succeed (5.4)', async () => {
      const browser = first.browser()
      await browser.signIn()
      for (let round = 0; round < ROUNDS; round += 1) {
        first.advance(3_600_000)
        const before = refreshes()
        const answers = await press(browser, 20)
        expect(refreshes() - before).toBe(1)
        expect(answers.filter(({ status }) => status === 401)).toEqual([])
      }
    })

    test('of devices that several browsers pair at once none is lost from the list, in each round (ASVS 7.5.2)', async () => {
      const browsers = [first.browser()]
      await browsers[0]?.signIn()
      for (let round = 0; round < ROUNDS; round += 1) {
        first.advance(1)
        const pairs = browsers.slice(0, machines.length).map((browser, nth) => ({
          by: throughAnother(browser, machines[nth] ?? first),
          device: first.browser(),
        }))
        await Promise.all(pairs.map(({ by, device }) => pair(by, device)))
        browsers.push(...pairs.map(({ device }) => device))
        for (const browser of browsers) {
          const { body } = await browser.request<OwnSessions>('GET', '/bff/sessions')
          expect(body.sessions).toHaveLength(browsers.length)
        }
      }
    })

    test('links that three machines make at once have different names, and are at most 20 (L25)', async () => {
      const browser = first.browser()
      await browser.signIn()
      const make = async (count: number, nameOf: (nth: number) => string) => {
        const names = Array.from({ length: count }, (_, nth) => [nth, nameOf(nth)] as const)
        const made = await Promise.all(
          names.map(([nth, name]) =>
            throughAnother(browser, machines[nth % 3] ?? first).request('POST', '/bff/watch-links', {
              json: { name },
            }),
          ),
        )
        return made.filter(({ status }) => status === 201).length
      }
      expect(await make(3, () => 'Wall')).toBe(1)
      expect(await make(30, (nth) => `Link ${nth}`)).toBe(19)
    })
  },
)
