import { expect, test } from 'vitest'
import { type Measurement, measureMonth, methodLabel } from '../../../src/bff/core/measurement.ts'
import { startApp, STANDARD } from '../../kit/app.ts'

const HOUR_MS = 3_600_000

function open() {
  const measured: Measurement[] = []
  const fixture = startApp({ measure: (one) => measured.push(one) })
  const take = () => measured.splice(0)
  const ofKind = <What extends Measurement['what']>(what: What) =>
    take().filter((one): one is Extract<Measurement, { what: What }> => one.what === what)
  return { fixture, take, ofKind }
}

test('a sign-in is its requests, those to the service, one session and the month (5.3, 8.3)', async () => {
  const { fixture, take } = open()
  await fixture.browser().signIn()
  expect(take()).toEqual([
    request('POST', '/bff/login', 204),
    { what: 'upstream', kind: 'token.code', result: 200, tookMs: 0 },
    { what: 'upstream', kind: 'api.read', result: 200, tookMs: 0 },
    { what: 'session', change: 'opened' },
    request('POST', '/bff/session', 201),
  ])
})

const request = (method: string, route: string, status: number) => ({
  what: 'request',
  method,
  route,
  status,
  tookMs: 0,
  requestId: expect.any(String),
})

test('a request is named by its route, never by its path, and the method by a closed list', async () => {
  const { fixture, ofKind } = open()
  const browser = fixture.browser()
  await browser.read(`/organizations/${STANDARD}`)
  await browser.request('DELETE', '/bff/sessions/a-session')
  await browser.request('GET', '/bff/nothing/of-the-kind')
  await browser.request('GET', '/assets/app-0123.js')
  await browser.request('GET', '/no/page?state=a-state')
  await browser.request('PURGE', '/bff/quota')
  expect(ofKind('request').map(({ method, route, status }) => [method, route, status])).toEqual([
    ['GET', '/api/organizations/:id', 401],
    ['DELETE', '/bff/sessions/:id', 401],
    ['GET', '/bff/*', 404],
    ['GET', '/assets/*', 404],
    ['GET', '/*', 404],
    ['other', '/bff/quota', 405],
  ])
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
  expect(methods.map(methodLabel)).toEqual(methods)
})

test.each([
  ['renewed', 200, undefined],
  ['failed', 500, '{}'],
  ['rejected', 401, '{"error":"invalid_client"}'],
  ['withdrawn', 400, '{"error":"invalid_grant"}'],
] as const)('a refresh is %s where the service answers %s (5.4)', async (outcome, status, body) => {
  const { fixture, take } = open()
  const browser = fixture.browser()
  await browser.signIn()
  fixture.advance(2 * HOUR_MS)
  fixture.intercept((asked, through) =>
    body !== undefined && asked.url.endsWith('/oauth2/token')
      ? Promise.resolve(new Response(body, { status }))
      : through(asked),
  )
  take()
  await browser.spend(`/organizations/${STANDARD}`)
  const measured = take()
  expect(measured.filter(({ what }) => what === 'refresh')).toEqual([{ what: 'refresh', outcome }])
  expect(measured.filter(({ what }) => what === 'session')).toEqual(
    outcome === 'withdrawn' ? [{ what: 'session', change: 'ended' }] : [],
  )
})

test('a snapshot states what is left of the month by the least favourable count (8.3)', async () => {
  const { fixture, ofKind } = open()
  const browser = fixture.browser()
  await browser.signIn()
  ofKind('month')
  const { month } = await browser.quota()
  expect(month).toMatchObject({ high: 2, limit: 100 })
  expect(ofKind('month')).toEqual([{ what: 'month', plan: 'standard', leftShare: 0.98 }])
  const organization = { low: 130, high: 130, reading_age_ms: 0 }
  expect(measureMonth({ month: { ...month, organization } })).toMatchObject({ leftShare: 0 })
  const { limit: _, ...unlimited } = month
  expect(measureMonth({ month: unlimited })).toBeUndefined()
  const { plan: __, ...unknown } = month
  expect(measureMonth({ month: unknown })).toBeUndefined()
})
