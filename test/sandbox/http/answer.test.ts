import { expect, test } from 'vitest'
import { REFUSALS } from '../../../src/sandbox/http/handler.ts'
import { REFUSAL_BODIES } from '../../../src/sandbox/http/page.tsx'
import { open } from '../../kit/sandbox.ts'
import { each, start } from '../_start.ts'

test.each([
  ['/organizations', 'PUT', 'GET, HEAD'],
  ['/rate_limit', 'POST', 'GET, HEAD'],
  ['/plan', 'DELETE', 'GET, HEAD, POST'],
  ['/oauth2/permission', 'GET', 'POST'],
  ['/oauth2/login', 'DELETE', 'GET, HEAD, POST'],
  ['/', 'POST', 'GET, HEAD'],
  ['/style.css', 'POST', 'GET, HEAD'],
  ['/mark.svg', 'POST', 'GET, HEAD'],
])('%s by %s answers 405 and Allow: %s (check 60, RFC 9110 15.5.6)', async (path, method, allow) => {
  const { send, key } = start()
  const answer = await send(path, { method, headers: key() })
  expect([answer.status, answer.headers.get('Allow')]).toEqual([405, allow])
  const head = await send(path, { method: 'HEAD', headers: key() })
  expect(head.status < 405).toBe(allow.includes('HEAD'))
})

test('Date is the time that is passed in (RFC 9110 6.6.1)', async () => {
  const { send, clock } = start()
  for (const path of ['/', '/organizations', '/oauth2/token', '/style.css'])
    expect((await send(path)).headers.get('Date')).toBe('Sat, 21 Nov 2026 06:00:00 GMT')
  clock.ms += 750
  expect((await send('/')).headers.get('Date')).toBe('Sat, 21 Nov 2026 06:00:01 GMT')
})

const message = REFUSALS.not_found[1]
each('errbody', {
  error_description: ['application/json', { error: 'not_found', error_description: message }],
  message: ['application/json', { message }],
  code_message: ['application/json', { code: 'not_found', message }],
  errors_list: ['application/json', { errors: [{ code: 'not_found', message }] }],
  problem_json: [
    'application/problem+json',
    { type: 'about:blank', title: 'not_found', status: 404, detail: message },
  ],
  not_json: ['text/html; charset=utf-8', expect.stringContaining('<h1>404</h1>')],
})('the type and the body of an error of the API (U42)', async ({ send }, value) => {
  const answer = await send('/nothing')
  expect(answer.status).toBe(404)
  const body = value === 'not_json' ? answer.text() : answer.json()
  return [answer.headers.get('Content-Type'), await body]
})

test.each([
  [400, 'text/html; charset=utf-8', '<h1>400</h1>'],
  [401, 'text/plain; charset=utf-8', message],
  [402, 'application/json', ''],
  [403, 'application/json', '{"error":"not_found","error_descr'],
])('an error that is not JSON has with the status %i the type %s (U42)', (status, type, text) => {
  const body = REFUSAL_BODIES.not_json({ status, word: 'not_found', description: message })
  expect([body.type, body.text]).toEqual([type, expect.stringContaining(text)])
  expect(() => JSON.parse(body.text)).toThrow(SyntaxError)
})

test('a shape that needs a code also has one without a credential (U42, RFC 6750 3)', async () => {
  const answer = await open({ choices: { errbody: 'code_message' } }).send('/organizations')
  expect(await answer.json()).toMatchObject({ code: 'unauthorized' })
})

const [NO_PREFLIGHT, BOTH_HEADERS] = [null, 'Authorization, Content-Type, X-Service-Api-Key']
each('cors', {
  none: [null, false, [false, false], 405, NO_PREFLIGHT],
  any_origin: ['*', false, [true, true], 204, BOTH_HEADERS],
  any_origin_exposed: ['*', true, [true, true], 204, BOTH_HEADERS],
  missing_on_refusals: ['*', true, [false, false], 204, BOTH_HEADERS],
  key_header_refused: ['*', true, [true, true], 204, 'Authorization, Content-Type'],
})(
  'who reads answers, limits and refusals, and the preflight (U81, RFC 9700 2.6)',
  async ({ send, key, token, authorizePath, month }) => {
    const origin = { Origin: 'https://other.example' }
    const served = await send('/organizations', { headers: { ...key(), ...origin } })
    const refusals = [
      await send('/organizations', { headers: origin }),
      await token({ grant_type: 'nothing' }, origin),
    ]
    const headers = { ...origin, 'Access-Control-Request-Method': 'GET' }
    const preflights = new Set<string>()
    for (const path of ['/organizations', '/rate_limit', '/oauth2/token']) {
      const answer = await send(path, { method: 'OPTIONS', headers })
      preflights.add(JSON.stringify([answer.status, answer.headers.get('Access-Control-Allow-Headers')]))
    }
    expect([preflights.size, month()]).toEqual([1, 1])
    for (const path of ['/', '/plan', authorizePath(), '/style.css'])
      expect([...(await send(path, { headers: origin })).headers.keys()].join()).not.toMatch(/access-control/)
    return [
      served.headers.get('Access-Control-Allow-Origin'),
      served.headers.get('Access-Control-Expose-Headers')?.includes('X-RateLimit-Remaining') ?? false,
      refusals.map((answer) => answer.headers.has('Access-Control-Allow-Origin')),
      ...JSON.parse([...preflights][0] ?? ''),
    ]
  },
)

const LARGEST_BODY_BYTES = 16 * 1024

/** In pieces, without a Content-Length. */
const stream = (...sizes: number[]) =>
  new ReadableStream({
    pull(controller) {
      const size = sizes.shift()
      if (size === undefined) controller.close()
      else controller.enqueue(new Uint8Array(size).fill(120))
    },
  })

test('a body in pieces is read, and refused if it is too large or breaks off (RFC 9110 15.5.14)', async () => {
  const { send, key } = start({ choices: { resources: 'echo' } })
  const post = (body: BodyInit) =>
    send('/_choice/echo', { method: 'POST', headers: key(2002), body, duplex: 'half' } as RequestInit)
  expect(await (await post(stream(5, 0, 5))).json()).toMatchObject({ echo: 'xxxxxxxxxx' })
  expect((await post(stream(LARGEST_BODY_BYTES))).status).toBe(200)
  const refused = await post(stream(LARGEST_BODY_BYTES, 1))
  expect([refused.status, refused.headers.get('Connection')]).toEqual([413, null])
  const huge = await post(stream(LARGEST_BODY_BYTES, 1024 * 1024, 1))
  expect([huge.status, huge.headers.get('Connection')]).toEqual([413, 'close'])
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) })
  expect((await post(broken)).status).toBe(400)
})

const FORM_TYPE = 'application/x-www-form-urlencoded'
const largest = { x: 'x'.repeat(LARGEST_BODY_BYTES - 'person_id=ada&x='.length) }
test.each<[string, headers: Record<string, string>, status: number, more?: Record<string, string>]>([
  ['of another site', { Origin: 'https://evil.example' }, 403],
  ['of the same host on another port', { Origin: 'http://127.0.0.1:4001' }, 403],
  ['of no address', { Origin: 'evil' }, 403],
  ['of another site by Sec-Fetch-Site', { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }, 403],
  ['of the sandbox', { Origin: 'http://127.0.0.1:4000' }, 303],
  ['of the sandbox behind TLS', { Origin: 'https://127.0.0.1:4000' }, 303],
  ['of a page without referrer', { Origin: 'null' }, 303],
  ['of no browser', {}, 303],
  ['with a character set', { 'Content-Type': `${FORM_TYPE}; charset=UTF-8` }, 303],
  ['in another case', { 'Content-Type': 'Application/X-WWW-Form-URLEncoded' }, 303],
  ['of another media type', { 'Content-Type': 'text/plain' }, 415],
  ['in parts', { 'Content-Type': 'multipart/form-data' }, 415],
  ['of almost the same type', { 'Content-Type': `${FORM_TYPE}2` }, 415],
  ['of 16 kB', {}, 303, largest],
  ['of 16 kB and one byte', {}, 413, { x: `${largest.x}x` }],
])('a sign-in by a form %s: %o answers %i (RFC 6749 10.12)', async (_, headers, status, more = {}) => {
  const { post, sandbox } = start()
  const answer = await post('/projects', { person_id: 'ada', ...more }, headers)
  expect(answer.status).toBe(status)
  expect(answer.headers.get('Content-Type')).toBe(status === 303 ? null : 'text/html; charset=UTF-8')
  expect(Object.keys(sandbox.snapshot().sign_ins)).toHaveLength(status === 303 ? 1 : 0)
})
