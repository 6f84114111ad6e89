import { expect, test } from 'vitest'
import { Metrics } from '../../../src/serve/observe/metrics.ts'
import { observeStore } from '../../../src/serve/observe/observed-store.ts'
import { openSqlite } from '../../../src/store/sqlite/sqlite.ts'
import { needPromtool, promtool } from '../../_promtool.ts'
import { APP, BUSINESS, SECRET, STANDARD, startApp } from '../../kit/app.ts'

const HOUR_MS = 3_600_000

/** Two people sign in, read, get a renewed token, open a stream and sign out, all measured. */
async function useTheApp() {
  const metrics = new Metrics()
  const store = observeStore(openSqlite(':memory:'), { log: () => {}, now: Date.now, metrics })
  const fixture = startApp({ store, measure: metrics.measure })
  metrics.countStreams = fixture.bff.openStreams
  const person = fixture.browser('203.0.113.77')
  await person.signIn(STANDARD)
  await person.quota()
  fixture.advance(2 * HOUR_MS)
  await person.spend(`/organizations/${STANDARD}`)
  await person.read('/organizations/999999')
  const api_key = fixture.seed.api_keys[0]?.value ?? ''
  const other = fixture.browser('198.51.100.9')
  await other.request('POST', '/bff/session', { json: { api_key } })
  await other.spend('/organizations')
  await other.signOut()
  const stream = await person.fetch('/bff/events')
  return { metrics, fixture, person, api_key, stream }
}

const text = ({ register }: Metrics) => register.metrics()

test('what two people do is counted by route, kind, outcome and operation, and so are streams (attack 71)', async () => {
  const { metrics, stream } = await useTheApp()
  const lines = (await text(metrics)).split('\n')
  const expected = [
    'plimsoll_http_requests_total{method="POST",route="/bff/session",status="201"} 2',
    'plimsoll_http_requests_total{method="GET",route="/api/organizations/:id",status="200"} 1',
    'plimsoll_http_requests_total{method="GET",route="/api/organizations/:id",status="404"} 1',
    'plimsoll_http_request_duration_seconds_count{method="GET",route="/bff/quota"} 1',
    'plimsoll_upstream_requests_total{kind="token.code",result="200"} 1',
    'plimsoll_upstream_requests_total{kind="token.refresh",result="200"} 1',
    'plimsoll_upstream_request_duration_seconds_count{kind="api.read"} 4',
    'plimsoll_refreshes_total{outcome="renewed"} 1',
    'plimsoll_refreshes_total{outcome="rejected"} 0',
    'plimsoll_sessions_opened_total 2',
    'plimsoll_sessions_ended_total 1',
    'plimsoll_event_streams 1',
    'plimsoll_quota_left_ratio_count{plan="standard"} 4',
    'plimsoll_store_operation_duration_seconds_count{operation="endSession"} 1',
    'plimsoll_store_failures_total{operation="addEntry"} 0',
  ]
  expect(expected.filter((line) => !lines.includes(line))).toEqual([])
  await stream.body?.cancel()
  await expect.poll(() => text(metrics)).toContain('\nplimsoll_event_streams 0\n')
})

test('no organization, name, token, key, cookie, address or id is in the metrics (8.1)', async () => {
  const { metrics, fixture, person, api_key } = await useTheApp()
  // Without the numbers, which may be any.
  const found = (await text(metrics)).replaceAll(/^([^#].*) \S+$/gm, '$1')
  const tokens = fixture.sent.flatMap(({ headers, body }) => [
    headers.get('Authorization')?.replace('Bearer ', '') ?? '',
    ...new URLSearchParams(body).values(),
  ])
  const secrets = [
    STANDARD,
    BUSINESS,
    '999999',
    api_key,
    SECRET,
    APP,
    ...fixture.seed.organizations.map(({ name }) => name),
    ...fixture.seed.people.map(({ name }) => name),
    ...[...person.cookies.values()].flatMap((value) => value.split('.')),
    ...tokens.filter((value) => !['authorization_code', 'refresh_token'].includes(value)),
  ].filter((value) => value !== '')
  expect(secrets.length).toBeGreaterThan(15)
  expect(secrets.filter((secret) => found.includes(secret))).toEqual([])
  expect(found).not.toMatch(/203\.0\.113|198\.51\.100|127\.0\.0\.1/)
})

test('the label values are words of closed lists', async () => {
  const { metrics } = await useTheApp()
  const found = await text(metrics)
  const values = [...found.matchAll(/^plimsoll_.*?(?<=[{,])(?!le=)\w+="([^"]*)"/gm)].map(([, value]) => value)
  expect(values.length).toBeGreaterThan(30)
  for (const value of values) expect(value).toMatch(/^(\d{3}|other|[A-Z]+|[a-zA-Z_.]+|\/[a-z_/*:-]*)$/)
})

test('promtool accepts the metrics (`apt-get install prometheus`)', async (context) => {
  needPromtool(context)
  const { metrics } = await useTheApp()
  expect(promtool(['check', 'metrics'], { input: await text(metrics) })).toEqual({ status: 0, said: '' })
})
