import { expect, test } from 'vitest'
import { ANOTHER_BROWSER } from '../../../src/contract/chosen-name.ts'
import type { LedgerPage } from '../../../src/contract/ledger.ts'
import type { Readings } from '../../../src/contract/readings.ts'
import { type PairingClaim } from '../../../src/contract/pairing.ts'
import { SESSION_COOKIE } from '../../kit/config.ts'
import { Problem } from '../../../src/contract/problem.ts'
import { failIn } from '../../kit/store-methods.ts'
import { STANDARD } from '../../kit/app.ts'
import { type Person } from '../../kit/person.ts'
import { readEvents } from '../../kit/events.ts'
import { throughAnother, twoProcesses } from '../../kit/processes.ts'
import { claim, claimed, confirm, confirmed, finish, listed, offer, pair, signedIn } from './_pairing.ts'
import { answerTokens } from '../_signed-in.ts'

const PATH = `/organizations/${STANDARD}`
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

test('a second browser gets a session of its own by a code and a number, and nothing is sent (8)', async () => {
  const { fixture, first, second } = await signedIn()
  const sent = fixture.sent.length
  const { code, expires_in } = await offer(first)
  expect([code, expires_in]).toEqual([expect.stringMatching(/^[2-9A-HJKMNP-TV-Z]{8}$/), 120])
  const claimed = await claim(second, code)
  const { number } = claimed.body as PairingClaim
  expect(claimed.body).toEqual({ number: expect.stringMatching(/^[1-9]\d$/), expires_in: 120 })
  expect(await finish(second)).toMatchObject({ status: 202, body: claimed.body })
  expect((await confirm(first, code, number)).status).toBe(204)
  const opened = await finish(second)
  expect(opened).toMatchObject({ status: 201, body: { signed_in: true, organization_id: STANDARD } })
  const own = (await first.session()).body
  expect(own).toMatchObject({ signed_in: true })
  expect(opened.body.id).not.toBe(own.signed_in && own.id)
  // The record that the first browser has read is there too.
  expect((await second.read(PATH)).status).toBe(200)
  expect(fixture.sent).toHaveLength(sent)
})

test('each browser lists both sessions; ending one leaves the other, which sends its own requests (4)', async () => {
  const { fixture, first, second } = await signedIn()
  const { id } = await pair(first, second)
  expect((await listed(first)).map(({ current }) => current)).toEqual([false, true])
  expect((await listed(second)).map(({ current }) => current)).toEqual([true, false])
  await first.signOut()
  expect((await second.spend(PATH)).status).toBe(200)
  const again = fixture.browser()
  await pair(second, again)
  expect(await again.request('DELETE', `/bff/sessions/${id}`)).toMatchObject({ status: 204 })
  expect((await second.session()).body.signed_in).toBe(false)
  expect((await again.spend(PATH)).status).toBe(200)
})

test('the requests and counts of each paired browser are the person’s own, by the browser’s name (8.3)', async () => {
  const { fixture, first, second } = await signedIn()
  await second.signIn(STANDARD, 'Ben')
  await second.request('PUT', '/bff/browser', { json: { name: 'Ada, phone' } })
  fixture.advance(HOUR_MS)
  await pair(first, second)
  const third = fixture.browser()
  await pair(second, third)
  for (const browser of [first, second, third]) {
    fixture.advance(2000)
    expect((await browser.spend(PATH)).status).toBe(200)
  }
  await second.request('POST', '/bff/readings', { json: { count: 20 } })
  const other = fixture.browser()
  await other.signIn(STANDARD, 'Ben')
  const senders = async (asking: Person) => {
    const { entries } = (await asking.request<LedgerPage>('GET', '/bff/ledger')).body
    const reads = entries.filter(({ initiator }) => initiator === 'person')
    return reads.map(({ by, browser }) => `${by}: ${browser}`)
  }
  const by = async (asking: Person) => {
    const { readings } = (await asking.request<Readings>('GET', '/bff/readings')).body
    const { recent = [] } = await asking.quota()
    return new Set([...readings, ...recent.filter(({ kind }) => kind === 'read')].map((one) => one.by))
  }
  for (const own of [first, second, third]) {
    expect(await senders(own)).toEqual([
      `you: ${ANOTHER_BROWSER}`,
      'you: Ada, phone',
      `you: ${ANOTHER_BROWSER}`,
    ])
    expect(await by(own)).toEqual(new Set(['you']))
  }
  expect(await senders(other)).toEqual([
    `another: ${ANOTHER_BROWSER}`,
    'another: Ada, phone',
    `another: ${ANOTHER_BROWSER}`,
  ])
  expect(await by(other)).toEqual(new Set(['another']))
})

test('two processes refresh the shared token once, and each browser keeps its session (5.4.3)', async () => {
  const [here, there] = twoProcesses()
  const first = here.browser()
  await first.signIn()
  const second = there.browser()
  await pair(first, second)
  here.advance(HOUR_MS)
  const refreshes = () => [here, there].flatMap((one) => one.tokenRequests()).length
  const before = refreshes()
  const answers = await Promise.all([first, second, first, second].map((one) => one.spend(PATH)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(refreshes()).toBe(before + 1)
  expect((await throughAnother(first, there).session()).body.signed_in).toBe(true)
  expect((await second.session()).body.signed_in).toBe(true)
})

test.each(['refused', 'refused_family_revoked'] as const)(
  'a refresh in one process while another pairs loses no token, where a used one is %s (5.4.3)',
  async (reuse) => {
    for (let round = 0; round < 10; round += 1) {
      const [here, there] = twoProcesses({ choices: { reuse } })
      const first = here.browser()
      await first.signIn()
      const second = here.browser()
      here.advance(HOUR_MS - 60_000)
      const { code, number } = await claimed(first, second)
      here.advance(60_000)
      const same = throughAnother(first, there)
      const spending = same.spend(PATH)
      // While the other process refreshes, this one asks for another try.
      await expect.poll(async () => (await confirm(first, code, number)).status).toBe(204)
      expect([(await spending).status, (await finish(second)).status]).toEqual([200, 201])
      here.advance(HOUR_MS)
      for (const one of [second, same, first]) expect((await one.spend(PATH)).status).toBe(200)
    }
  },
)

test('the end of the grant ends both sessions and their open pages (5.4.3)', async () => {
  const { fixture, first, second } = await signedIn()
  await pair(first, second)
  const reader = readEvents((await second.fetch('/bff/events', { headers: { 'X-CSRF': '1' } })).body)
  await expect.poll(() => reader.received.length).toBe(1)
  fixture.advance(HOUR_MS)
  answerTokens(fixture, () => Response.json({ error: 'invalid_grant' }, { status: 400 }))
  expect(await first.spend(PATH)).toMatchObject({ status: 401, body: { code: 'access_withdrawn' } })
  await expect.poll(reader.isClosed).toBe(true)
  expect((await second.session()).body.signed_in).toBe(false)
})

test('an API key opens a second browser too, named apart in the ledger (5.1)', async () => {
  const { first, second } = await signedIn('api_key')
  expect(await pair(first, second)).toMatchObject({ signed_in: true, method: 'api_key' })
  expect(await listed(second)).toHaveLength(2)
  expect((await second.read('/organizations')).status).toBe(200)
  expect((await second.spend('/organizations')).status).toBe(200)
  expect((await first.request('DELETE', '/bff/sessions')).status).toBe(204)
  expect((await second.session()).body.signed_in).toBe(false)
})

test('a paired session ends when that of the sign-in must: a chain prolongs nothing (L38)', async () => {
  const { fixture, first, second } = await signedIn()
  const keepUsing = async (browser: Person, days: number) => {
    for (let day = 0; day < days; day += 1) {
      fixture.advance(DAY_MS)
      expect((await browser.session()).body.signed_in).toBe(true)
    }
  }
  await keepUsing(first, 50)
  await pair(first, second)
  await keepUsing(second, 30)
  const third = fixture.browser()
  await pair(second, third)
  // A moment had passed before the first pairing.
  expect((await third.session()).body).toMatchObject({ ends_in: 10 * 86_400 - 1 })
  await keepUsing(third, 9)
  expect((await third.spend(PATH)).status).toBe(200)
  fixture.advance(DAY_MS)
  expect((await third.session()).body.signed_in).toBe(false)
})

test('another code ends the one before it, also for the browser that has entered that one', async () => {
  const { fixture, first, second } = await signedIn()
  const [one, third] = [await offer(first), fixture.browser()]
  const { number } = (await claim(second, one.code)).body as PairingClaim
  const other = await offer(first)
  expect(await finish(second)).toMatchObject({ status: 404 })
  expect(await confirm(first, one.code, number)).toMatchObject({ status: 404 })
  await confirm(first, other.code, ((await claim(third, other.code)).body as PairingClaim).number)
  await offer(first)
  // It was confirmed, and its browser only has to ask.
  expect((await finish(third)).status).toBe(201)
})

test('a code that ends after its number was confirmed opens nothing, and leaves the other session', async () => {
  const { fixture, first, second } = await signedIn()
  const { code, number } = await claimed(first, second)
  fixture.advance(119_999)
  expect((await confirm(first, code, number)).status).toBe(204)
  fixture.advance(1)
  expect(await finish(second)).toMatchObject({ status: 404 })
  expect(second.cookies.has(SESSION_COOKIE)).toBe(false)
  expect((await first.spend(PATH)).status).toBe(200)
})

test.each(['oauth', 'api_key'])(
  'a session by %s is listed once its browser has collected it, as opened by a code (8)',
  async (by) => {
    const { first, second } = await signedIn(by)
    await confirmed(first, second)
    expect(await listed(first)).toHaveLength(1)
    await finish(second)
    for (const one of [first, second])
      expect((await listed(one)).map(({ paired }) => paired)).toEqual([true, undefined])
  },
)

test('a code does not outlive a clock that is set back (8)', async () => {
  const { fixture, first, second } = await signedIn()
  const { code } = await offer(first)
  fixture.advance(-HOUR_MS)
  expect((await claim(second, code)).status).toBe(404)
})

test('a process that stops inside a pairing leaves both as they were, with their tokens (5.4.4)', async () => {
  const { fixture, first, second } = await signedIn()
  const { code, number } = await claimed(first, second)
  const { transaction } = fixture.store
  for (const stopAt of ['writeSession', 'changeNote'] as const) {
    failIn(fixture.store, stopAt, new Problem('store_unavailable'))
    expect((await confirm(first, code, number)).status).toBe(503)
    fixture.store.transaction = transaction
    expect((await listed(first)).length).toBe(1)
  }
  fixture.advance(HOUR_MS)
  expect((await first.spend(PATH)).status).toBe(200)
})
