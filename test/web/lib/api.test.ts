import { afterEach, expect, test, vi } from 'vitest'
import { onlineManager, QueryObserver } from '@tanstack/react-query'
import type { Problem } from '../../../src/contract/problem.ts'
import {
  deleteSession,
  getAnswer,
  getSession,
  postLogin,
  postSession,
  requestJson,
} from '../../../src/web/lib/api.ts'
import { QUOTA_KEY, openQuota } from '../../../src/web/quota/query.ts'
import { joinNetwork, signedInNetwork, stubFetch } from '../_network.ts'
import { createQueryClient } from '../../../src/web/lib/query.ts'
import { showAgain } from '../_page.tsx'
import { noteServerTime, onServer } from '../../../src/web/lib/clock.ts'

const ADDRESS = '/api/organizations/1001'
/** As src/web/spend/paid.ts does. */
const PAID = { headers: { 'X-Plimsoll-Spend': '1' } }
const failureOf = (work: Promise<unknown>): Promise<Problem> =>
  work.then(
    () => undefined as never,
    (p: Problem) => p,
  )
const answer = (body: string, status = 200, headers: Record<string, string> = {}): void =>
  stubFetch(async () => new Response(body, { status, headers }))

test('every request carries the header that no form can set (design: web and bff)', async () => {
  const network = await signedInNetwork()
  const client = createQueryClient(() => {})
  openQuota(client, { session: 'id' })
  await Promise.all([
    getSession(),
    client.prefetchQuery({ queryKey: QUOTA_KEY }),
    getAnswer('/api/rate_limit', PAID),
  ])
  await postLogin({ state: 's'.repeat(16), organization_id: '1' })
  await failureOf(postSession({ api_key: 'k' }))
  await deleteSession()
  expect(network.calls).toHaveLength(6)
  expect(network.calls.every(({ csrf }) => csrf === '1')).toBe(true)
})

test('an answer comes with its age and price (8.3)', async () => {
  const { fixture } = await signedInNetwork()
  fixture.advance(184_000)
  expect(await getAnswer(ADDRESS)).toMatchObject({ ageMs: 184_000, spent: 0 })
  expect(await getAnswer(ADDRESS, PAID)).toMatchObject({ ageMs: 0, spent: 1 })
})

test.each(['-1', '1.5', 'x', '1e3'])(
  'an age of %j is not an answer of our server (RFC 9111 5.1)',
  async (age) => {
    answer('{}', 200, { Age: age })
    expect(await failureOf(getAnswer(ADDRESS))).toMatchObject({
      code: 'unexpected_reply',
    })
  },
)

test('a refusal becomes the Problem that it reports, with its support id (RFC 9457 3)', async () => {
  const { fixture } = await signedInNetwork()
  const problem = await failureOf(getAnswer('/api/rate_limit'))
  expect(problem).toMatchObject({ code: 'costs_a_request', status: 428 })
  expect(problem.supportId).toBe(fixture.log.at(-1)?.support_id)
})

const PROBLEM = { 'Content-Type': 'application/problem+json' }
test.each([
  [502, '<html>bad gateway</html>', {}, 'bff_unreachable'],
  [503, '{"code":"signed_out"}', {}, 'bff_unreachable'],
  [500, 'oops', {}, 'unexpected_reply'],
  [403, '{"code":"invented"}', PROBLEM, 'unexpected_reply'],
  [200, '<html></html>', {}, 'unexpected_reply'],
  [200, '{"signed_in":"perhaps"}', {}, 'unexpected_reply'],
  [200, 'null', {}, 'unexpected_reply'],
])('%i %s is %4$s (RFC 9457 3)', async (status, body, headers, code) => {
  answer(body, status, headers)
  expect(await failureOf(getSession())).toMatchObject({ code })
})

test('a body that is cut off is a Problem too', async () => {
  const body = new ReadableStream({ pull: (c) => c.error(new TypeError('terminated')) })
  stubFetch(async () => new Response(body))
  expect(await failureOf(getSession())).toMatchObject({ code: 'bff_unreachable' })
})

test('a redirect is not followed, wherever it leads (RFC 9110 15.4)', async () => {
  const { browser } = joinNetwork()
  const session = JSON.stringify((await browser.session()).body)
  const asked: string[] = []
  stubFetch(async (path) => {
    asked.push(path)
    return path === '/elsewhere'
      ? new Response(session)
      : new Response(null, { status: 302, headers: { Location: '/elsewhere' } })
  })
  expect(await failureOf(getSession())).toMatchObject({ code: 'bff_unreachable' })
  expect(asked).toEqual(['/bff/session'])
})

test('no answer comes from the browser’s HTTP cache (RFC 9111 4)', async () => {
  const network = await signedInNetwork()
  const signedIn = (await network.browser.fetch('/bff/session', { headers: { 'X-CSRF': '1' } })).text()
  let asked = 0
  stubFetch(async () => {
    asked += 1
    return new Response(await signedIn, { headers: { 'Cache-Control': 'max-age=3600' } })
  })
  await getSession()
  await getSession()
  expect(asked).toBe(2)
})

test('after a minute without an answer the page stops waiting', async () => {
  vi.useFakeTimers()
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), ms)
    return controller.signal
  })
  stubFetch(() => new Promise(() => {}))
  const failed = vi.fn<(problem: Problem) => void>()
  void failureOf(getSession()).then(failed)
  await vi.advanceTimersByTimeAsync(59_000)
  expect(failed).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(2000)
  expect(failed).toHaveBeenCalledWith(expect.objectContaining({ code: 'bff_unreachable' }))
})

afterEach(() => onlineManager.setOnline(true))

const settle = () => new Promise((resolve) => setTimeout(resolve, 50))

/** A page that asks as most queries do. @param cut if the request gets no answer */
async function observed(cut: boolean, isOffline = false) {
  const network = await signedInNetwork()
  if (cut) network.cut.add('GET /bff/sessions')
  const reported: string[] = []
  const client = createQueryClient(({ code }) => reported.push(code))
  client.mount()
  if (isOffline) dispatchEvent(new Event('offline'))
  const query = { queryKey: ['sessions'], queryFn: () => requestJson('/bff/sessions') }
  const observe = () => new QueryObserver(client, query).subscribe(() => {})
  const stop = observe()
  await expect.poll(() => client.getQueryState(query.queryKey)?.status).toBe(cut ? 'error' : 'success')
  return { network, reported, observe, stop }
}
/** All that other queries are asked again for. */
async function comeBack(): Promise<void> {
  showAgain()
  dispatchEvent(new Event('offline'))
  dispatchEvent(new Event('online'))
  await settle()
}

test('no other observer, shown page or network that is back asks again for an answer (8.3)', async () => {
  const { network, observe, stop } = await observed(false)
  stop()
  observe()
  observe()
  for (let times = 0; times < 3; times++) await comeBack()
  expect(network.calls).toHaveLength(1)
})

test('a failed request is not repeated either, and is reported once (8.3)', async () => {
  const { network, observe, reported } = await observed(true)
  observe()
  await comeBack()
  expect([network.calls.length, reported]).toEqual([1, ['bff_unreachable']])
})

test('a query without a network fails at once, and is not sent later (8.3)', async () => {
  const { network } = await observed(true, true)
  network.cut.clear()
  await comeBack()
  expect(network.calls).toHaveLength(1)
})

const NOON_MS = Date.UTC(2026, 10, 21, 12)
const MINUTE_MS = 60_000

// The clock is right again.
afterEach(() => noteServerTime(dated(Date.now())))
const atNoon = () => void vi.useFakeTimers({ now: NOON_MS, toFake: ['Date'] })

const dated = (serverMs: number, status = 200) =>
  new Response(null, { status, headers: { Date: new Date(serverMs).toUTCString() } })

test.each([
  [86_400_000, 86_400_000],
  [-86_400_000, -86_400_000],
  [3 * MINUTE_MS, 3 * MINUTE_MS],
  [2 * MINUTE_MS, 0],
  [-1000, 0],
])('a clock that is %i ms ahead of the server is corrected by %i ms (RFC 9110 6.6.1)', (ahead, by) => {
  atNoon()
  noteServerTime(dated(NOON_MS - ahead))
  expect(onServer(NOON_MS)).toBe(NOON_MS - by)
})

test('a correction stays as it is until the clock is set, and an error corrects nothing (RFC 9110 6.6.1)', () => {
  atNoon()
  noteServerTime(dated(NOON_MS - 86_400_000))
  noteServerTime(dated(NOON_MS - 86_400_000 + 5000))
  noteServerTime(dated(NOON_MS, 502))
  noteServerTime(new Response())
  expect(onServer(NOON_MS)).toBe(NOON_MS - 86_400_000)
  noteServerTime(dated(NOON_MS))
  expect(onServer(NOON_MS)).toBe(NOON_MS)
})
