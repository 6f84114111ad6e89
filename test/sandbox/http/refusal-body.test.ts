import { describe, expect, test } from 'vitest'
import { type Choices, DEFAULT_CHOICES } from '../../../src/sandbox/choices/choices.ts'
import { outageAnswer } from '../../../src/sandbox/http/outage.ts'
import { REFUSALS } from '../../../src/sandbox/http/problem.tsx'
import { refusalBody } from '../../../src/sandbox/http/refusal-body.ts'
import { open } from '../../kit/sandbox.ts'

const message = REFUSALS.not_found.description

test.each<[Choices['errbody'], string, unknown]>([
  ['error_description', 'application/json', { error: 'not_found', error_description: message }],
  ['message', 'application/json', { message: message }],
  ['code_message', 'application/json', { code: 'not_found', message: message }],
  ['errors_list', 'application/json', { errors: [{ code: 'not_found', message: message }] }],
  [
    'problem_json',
    'application/problem+json',
    { type: 'about:blank', title: 'not_found', status: 404, detail: message },
  ],
])('an error of the API has the shape %s (U42)', async (errbody, type, body) => {
  const answer = await open({ choices: { errbody } }).send('/nothing')
  expect([answer.status, answer.headers.get('Content-Type'), await answer.json()]).toEqual([404, type, body])
})

describe('an error that is not JSON (U42)', () => {
  test.each([
    [400, 'text/html; charset=utf-8', '<h1>400</h1>'],
    [401, 'text/plain; charset=utf-8', message],
    [402, 'application/json', ''],
    [403, 'application/json', '{"error":"not_found","error_descr'],
  ])('with the status %i has the type %s', (status, type, text) => {
    const body = refusalBody(
      { ...DEFAULT_CHOICES, errbody: 'not_json' },
      { status, word: 'not_found', description: message },
    )
    expect([body.type, body.text]).toEqual([type, expect.stringContaining(text)])
    expect(() => JSON.parse(body.text)).toThrow(SyntaxError)
  })
})

test('a shape that needs a code also has one without a credential (RFC 6750 3)', async () => {
  const answer = await open({ choices: { errbody: 'code_message' } }).send('/organizations')
  expect(await answer.json()).toMatchObject({ code: 'unauthorized' })
})

test.each<[Choices['body429'], string | null, RegExp]>([
  ['as_errbody', 'application/json', /^\{"error":"too_many_requests",/],
  ['empty', null, /^$/],
  ['html', 'text/html; charset=utf-8', /^<!doctype html>/],
])('the choice %s decides the body of a 429 alone (U65)', async (body429, type, text) => {
  const { api, key } = open({ choices: { body429 } })
  const refused = await api(61, '/organizations', key())
  expect([refused.status, refused.headers.get('Content-Type')]).toEqual([429, type])
  expect(await refused.text()).toMatch(text)
  expect((await api(1, '/nothing', key(2002))).headers.get('Content-Type')).toBe('application/json')
})

test.each<[Choices['fivexx'], number, string | null, string]>([
  ['retry_503', 503, '30', 'application/json'],
  ['json_500', 500, null, 'application/json'],
  ['proxy_502', 502, null, 'text/html; charset=utf-8'],
  ['maintenance_200', 200, null, 'text/html; charset=utf-8'],
])(
  'the choice %s answers an outage with %i, Retry-After %s and %s (U44)',
  async (fivexx, status, retryAfter, type) => {
    const answer = outageAnswer({ ...DEFAULT_CHOICES, fivexx })
    expect([answer.status, answer.headers.get('Retry-After'), answer.headers.get('Content-Type')]).toEqual([
      status,
      retryAfter,
      type,
    ])
    expect(await answer.text()).toMatch(type === 'application/json' ? /^\{"error":"server_error",/ : /<h1>/)
  },
)

test('the fault server_error answers it once, without effect, and is in the request log (U44)', async () => {
  const { send, key, sandbox } = open({ choices: { fivexx: 'proxy_502' } })
  sandbox.control.addFault({ operation: 'organizations', kind: 'server_error' })
  expect((await send('/organizations', { headers: key() })).status).toBe(502)
  expect(sandbox.control.requestLog().at(-1)).toMatchObject({
    rule: 'fault_server_error',
    cost: { month: 0 },
  })
  expect((await send('/organizations', { headers: key() })).status).toBe(200)
  expect(sandbox.snapshot().months['1001']?.count).toBe(1)
})
