import { expect, test, vi } from 'vitest'
import {
  checkLimits,
  deleteSession,
  getOrganization,
  getQuota,
  getSession,
  organizationAddress,
  postLogin,
  postSession,
  supportIdOf,
} from '../../src/web/api.ts'
import type { Problem } from '../../src/contract/problem.ts'
import { KEY_HOLDER, NOBODY, SOMEBODY, snapshot, standIn } from './_bff.ts'

const failureOf = (work: Promise<unknown>): Promise<Problem> =>
  work.then(
    () => undefined as never,
    (p: Problem) => p,
  )

test('every request carries the header that no form can set', async () => {
  const bff = standIn()
  await Promise.all([
    getSession(),
    getQuota(),
    postSession({ api_key: 'k' }),
    postLogin({ state: 's'.repeat(16), organization_id: '1' }),
    checkLimits(),
    deleteSession(),
  ])
  expect(bff.calls).toHaveLength(6)
  expect(bff.calls.every(({ csrf }) => csrf === '1')).toBe(true)
})

test('only what a person pressed carries the header that spends (8.3)', async () => {
  const bff = standIn()
  await getOrganization('/api/organizations/1001', { spend: false })
  await getQuota()
  expect(bff.spent()).toBe(0)
  await getOrganization('/api/organizations/1001', { spend: true })
  await checkLimits()
  expect(bff.spent()).toBe(2)
})

test('an answer comes with its age and price, and keeps every digit', async () => {
  standIn({ copy: '{"id":9007199254740993123}' })
  const answer = await getOrganization('/api/organizations/1001', { spend: false })
  expect(answer).toMatchObject({ text: '{"id":9007199254740993123}', ageMs: 184_000, spent: 0 })
})

test('a refusal becomes the Problem that it tells, with its support id', async () => {
  standIn({ copy: undefined })
  const problem = await failureOf(getOrganization('/api/organizations/1001', { spend: false }))
  expect(problem).toMatchObject({ code: 'costs_a_request', status: 428 })
  expect(supportIdOf(problem)).toBe('support-77')
})

test('no answer at all is a Problem of our own server', async () => {
  standIn({ failures: { 'GET /bff/quota': 'unreachable' } })
  expect(await failureOf(getQuota())).toMatchObject({ code: 'bff_unreachable' })
})

test.each([
  [502, '<html>bad gateway</html>', 'bff_unreachable'],
  [500, 'oops', 'unknown'],
  [403, '{"code":"invented"}', 'unknown'],
  [200, '<html></html>', 'unexpected_reply'],
  [200, '{"signed_in":"perhaps"}', 'unexpected_reply'],
  [200, 'null', 'unexpected_reply'],
])('%i %s is %s', async (status, body, code) => {
  vi.stubGlobal('fetch', async () => new Response(body, { status }))
  expect(await failureOf(getSession())).toMatchObject({ code })
})

test('a body that breaks off is a Problem too', async () => {
  const body = new ReadableStream({ pull: (c) => c.error(new TypeError('terminated')) })
  vi.stubGlobal('fetch', async () => new Response(body))
  expect(await failureOf(getSession())).toMatchObject({ code: 'bff_unreachable' })
})

test('a session that nobody got is no answer to a sign-in', async () => {
  vi.stubGlobal('fetch', async () => Response.json(NOBODY))
  expect(await failureOf(postSession({ api_key: 'k' }))).toMatchObject({ code: 'unexpected_reply' })
})

test('an API key reads the organization without an id, a token the one it is for (4.4)', () => {
  expect(organizationAddress(KEY_HOLDER)).toBe('/api/organizations')
  expect(organizationAddress(SOMEBODY)).toBe('/api/organizations/1001')
})

test('the quota comes as it was told', async () => {
  standIn()
  expect(await getQuota()).toEqual(snapshot())
})
