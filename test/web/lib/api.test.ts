import { expect, test, vi } from 'vitest'
import type { Problem } from '../../../src/contract/problem.ts'
import {
  deleteSession,
  getAnswer,
  getSession,
  organizationAddress,
  postLogin,
  postSession,
} from '../../../src/web/lib/api.ts'
import { getQuota } from '../../../src/web/quota/queries.ts'
import { SESSION } from '../_month.tsx'
import { joinNetwork, signedInNetwork, stubFetch } from '../_network.ts'

const ADDRESS = '/api/organizations/1001'
const failureOf = (work: Promise<unknown>): Promise<Problem> =>
  work.then(
    () => undefined as never,
    (p: Problem) => p,
  )
const answer = (body: string, status = 200, headers: Record<string, string> = {}): void =>
  stubFetch(async () => new Response(body, { status, headers }))

test('every request carries the header that no form can set (design: web and bff)', async () => {
  const network = await signedInNetwork()
  await Promise.all([getSession(), getQuota(), getAnswer('/api/rate_limit', { spend: true })])
  await postLogin({ state: 's'.repeat(16), organization_id: '1' })
  await failureOf(postSession({ api_key: 'k' }))
  await deleteSession()
  expect(network.calls).toHaveLength(6)
  expect(network.calls.every(({ csrf }) => csrf === '1')).toBe(true)
})

test('only a person’s press reaches the service (8.3)', async () => {
  const network = await signedInNetwork()
  await getAnswer(ADDRESS, { spend: false })
  await getQuota()
  expect(network.spent()).toBe(0)
  await getAnswer(ADDRESS, { spend: true })
  await getAnswer('/api/rate_limit', { spend: true })
  expect(network.spent()).toBe(2)
})

test('an answer comes with its age and price (8.3)', async () => {
  const { fixture } = await signedInNetwork()
  fixture.advance(184_000)
  expect(await getAnswer(ADDRESS, { spend: false })).toMatchObject({ ageMs: 184_000, spent: 0 })
  expect(await getAnswer(ADDRESS, { spend: true })).toMatchObject({ ageMs: 0, spent: 1 })
})

test('an answer keeps every digit (4.4)', async () => {
  answer('{"id":9007199254740993123}')
  expect(await getAnswer(ADDRESS, { spend: false })).toMatchObject({
    text: '{"id":9007199254740993123}',
  })
})

test.each(['-1', '1.5', 'x', '1e3'])(
  'an age of %j is not an answer of our server (RFC 9111 5.1)',
  async (age) => {
    answer('{}', 200, { Age: age })
    expect(await failureOf(getAnswer(ADDRESS, { spend: false }))).toMatchObject({
      code: 'unexpected_reply',
    })
  },
)

test('a refusal becomes the Problem that it reports, with its support id (RFC 9457 3)', async () => {
  const { fixture } = await signedInNetwork()
  const problem = await failureOf(getAnswer('/api/rate_limit', { spend: false }))
  expect(problem).toMatchObject({ code: 'costs_a_request', status: 428 })
  expect(problem.supportId).toBe(fixture.log.at(-1)?.support_id)
})

test('a missing answer is a Problem of our own server', async () => {
  joinNetwork().cut.add('GET /bff/quota')
  expect(await failureOf(getQuota())).toMatchObject({ code: 'bff_unreachable' })
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

test('an answer without a session does not answer a sign-in', async () => {
  const { browser } = joinNetwork()
  answer(JSON.stringify((await browser.session()).body))
  expect(await failureOf(postSession({ api_key: 'k' }))).toMatchObject({ code: 'unexpected_reply' })
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

test('an API key reads its organization without an id, and a token reads its own by id (4.4)', () => {
  const { organization_id: _, ...session } = SESSION
  expect(organizationAddress({ ...session, method: 'api_key' })).toBe('/api/organizations')
  expect(organizationAddress({ ...session, method: 'oauth', organization_id: '7' })).toBe(
    '/api/organizations/7',
  )
})
