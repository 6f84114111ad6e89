import { expect, test } from 'vitest'
import { createFixture, STANDARD } from '../_fixture.ts'

test('each read has one credential, in its header and nowhere else (5.1.5, 5.4.1)', async () => {
  const fixture = createFixture()
  const browser = fixture.browser()
  await browser.signIn()
  await browser.spend('/rate_limit')
  const keyed = fixture.browser()
  await keyed.request('POST', '/bff/session', { json: { api_key: fixture.seed.api_keys[0]?.value } })
  const sentWith = fixture
    .paid()
    .map(({ headers }) => [headers.has('Authorization'), headers.has('X-Service-Api-Key')])
  expect(sentWith).toEqual([
    [true, false],
    [true, false],
    [false, true],
  ])
})

test('the header of the API key is the configured one (5.1.5)', async () => {
  const fixture = createFixture({ apiKeyHeader: 'X-Other-Key' })
  await fixture.browser().request('POST', '/bff/session', { json: { api_key: 'a-key-of-another-header' } })
  expect(fixture.sent[0]?.headers.get('X-Other-Key')).toBe('a-key-of-another-header')
})

test('the path of {base_url} is part of every address (0)', async () => {
  const fixture = createFixture({ serviceUrl: 'http://127.0.0.1:4000/a/b' })
  fixture.intercept(() =>
    Promise.resolve(
      Response.json({ access_token: 't', token_type: 'Bearer', expires_in: 3600, refresh_token: 'r' }),
    ),
  )
  await fixture.browser().signIn()
  expect(fixture.sent.map(({ path }) => path)).toEqual([
    '/a/b/oauth2/token',
    `/a/b/organizations/${STANDARD}`,
  ])
})

test('an API key that is refused later is a problem, and is not sent again (5.5)', async () => {
  const fixture = createFixture()
  const browser = fixture.browser()
  await browser.request('POST', '/bff/session', { json: { api_key: fixture.seed.api_keys[0]?.value } })
  fixture.intercept(() => Promise.resolve(new Response('{}', { status: 401 })))
  const { status, body } = await browser.spend('/organizations')
  expect([status, body.code]).toEqual([401, 'credential_refused'])
  expect(fixture.sent).toHaveLength(2)
})
