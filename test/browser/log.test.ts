// The log of the built app: start and stop, what failed at the token endpoint, ids of requests.
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { wholeTest } from '../_whole.ts'
import { until } from '../kit/until.ts'
import { endLater, openApp } from '../kit/cleanup.ts'
import { openService, PAGE, signIn } from '../kit/service.ts'
import type { AppProcess } from '../kit/app-process.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
const PROGRAM = { version, node: process.version }
/** Such a token is refreshed before the next read. */
const SHORT = { access_token: 'at', token_type: 'Bearer', expires_in: 1, refresh_token: 'rt' }

type Line = Record<string, string | number>

/** The lines of the log with this event, without their times. */
const linesOf = ({ output }: Pick<AppProcess, 'output'>, event: string): Line[] =>
  output()
    .split('\n')
    .filter((line) => line.includes(`"event":"${event}"`))
    .map((line) => {
      const { time: _, ...rest } = JSON.parse(line) as Line
      return rest
    })

/** @param token is called for each request to the token endpoint */
async function openWith(token: () => { status?: number; body: string }, extra: Record<string, string> = {}) {
  const service = await openService((path) => (path.endsWith('/token') ? token() : { body: '{"id": 7}' }))
  endLater(service.close)
  const settings = {
    PLIMSOLL_SERVICE_URL: service.url,
    PLIMSOLL_CLIENT_ID: 'an-app',
    PLIMSOLL_CLIENT_SECRET: 'a-secret',
  }
  return { service, running: await openApp({ ...settings, ...extra }) }
}

test("each start and stop is logged, with Plimsoll's and Node's version (operations)", async () => {
  const running = await openApp({})
  const line = (event: string, more = {}) => [{ level: 'info', event, ...PROGRAM, ...more }]
  await expect.poll(() => linesOf(running, 'start')).toEqual(line('start'))
  running.child().kill('SIGTERM')
  expect(await running.ended()).toBe(0)
  expect(linesOf(running, 'stop')).toEqual(line('stop', { cause: 'SIGTERM' }))
})

wholeTest(
  'a failed refresh is told from a failed code exchange, with and without an answer (operations)',
  async () => {
    let body: { status?: number; body: string } = { body: JSON.stringify(SHORT) }
    const { service, running } = await openWith(() => body)
    const { call, reply } = await signIn(running, '7')
    expect(reply.status).toBe(201)
    body = { status: 503, body: '' }
    // Before its end a token is used although its refresh fails.
    const endsAtMs = Date.now() + 1000 * SHORT.expires_in
    await until(() => Date.now() > endsAtMs)
    // Another read, since the one of the sign-in is shared for a second.
    expect((await call('/api/rate_limit', '1')).status).toBe(503)
    expect((await signIn(running, '7', 'a-second-state-0123456789')).reply.ok).toBe(false)
    const causes = () =>
      new Set(
        linesOf(running, 'problem').map(({ cause }) => /answered the (.*) with 503/.exec(String(cause))?.[1]),
      )
    await expect.poll(causes).toEqual(new Set(['refresh', 'code exchange']))
    expect(linesOf(running, 'problem').map(({ kind }) => kind)).toContain('token.refresh')
    await service.close()
    expect((await signIn(running, '7', 'a-third-state-0123456789')).reply.ok).toBe(false)
    const sent = () => linesOf(running, 'upstream').map(({ kind, status, code }) => [kind, status ?? code])
    await expect.poll(sent).toEqual([
      ['token.code', 200],
      ['api.read', 200],
      ['token.refresh', 503],
      ['token.code', 503],
      ['token.code', 'upstream_down'],
    ])
  },
)

/** The headers of an answer over a new connection. @param ids more than one are sent as so many headers */
const headersFor = ({ url }: AppProcess, path: string, ids: string[]) =>
  new Promise<Record<string, unknown>>((resolve, reject) =>
    request(url + path, { agent: false, headers: { ...PAGE, 'X-Request-Id': ids } }, (answer) => {
      answer.resume()
      resolve(answer.headers)
    })
      .on('error', reject)
      .end(),
  )

wholeTest(
  'the id that a trusted proxy gives a request is in the log and the answer (operations)',
  async () => {
    const { running } = await openWith(() => ({ body: '{}' }), { PLIMSOLL_TRUST_PROXY: '1' })
    const good = [
      '0f8fad5bd9cb469fa165708677289501',
      'Root=1-67891233-abcdef012345678912345678',
      'a'.repeat(64),
    ]
    for (const id of good)
      for (const path of ['/', '/bff/session', '/nothing', '/favicon.svg', '/bff/quota'])
        expect([path, (await headersFor(running, path, [id]))['x-request-id']]).toEqual([path, id])
    const bad = [['a'.repeat(65)], ['a b'], ['a"b'], ['a,b'], [''], ['\u00e4'], good.slice(0, 2)]
    for (const ids of bad)
      expect((await headersFor(running, '/bff/quota', ids))['x-request-id']).toBeUndefined()
    const given = good.flatMap((id) => Array<string>(5).fill(id))
    const own = bad.map(() => expect.stringMatching(/^[\da-f]{12}$/))
    const idsOf = (event: string) => linesOf(running, event).map((line) => line['request_id'])
    await expect.poll(() => idsOf('request')).toEqual([...given, ...own])
    expect(idsOf('problem').slice(0, 3)).toEqual(good)
    expect(linesOf(running, 'problem').map((line) => line['support_id'])).toEqual(idsOf('problem'))
  },
)

wholeTest('without a trusted proxy an id that comes with a request is ignored (operations)', async () => {
  const { running } = await openWith(() => ({ body: '{}' }))
  expect((await headersFor(running, '/bff/quota', ['an-id-of-a-stranger']))['x-request-id']).toBeUndefined()
  const ids = () => linesOf(running, 'request').map((line) => line['request_id'])
  await expect.poll(ids).toEqual([expect.stringMatching(/^[\da-f]{12}$/)])
  expect(running.output()).not.toContain('an-id-of-a-stranger')
})
