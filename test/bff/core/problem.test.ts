import { describe as group, expect, test } from 'vitest'
import type { Context, LogEntry } from '../../../src/bff/core/context.ts'
import { describe, problemResponse } from '../../../src/bff/core/problem.ts'
import { PROBLEMS, Problem, type ProblemBody, type ProblemCode } from '../../../src/contract/problem.ts'

/** The answer and the log entry for a thrown error. */
async function thrown(error: unknown, address = 'http://localhost:3000/api/rate_limit?code=canary-query') {
  const requestId = 'request-id-1'
  const log: LogEntry[] = []
  const context = { requestId, log: (entry: LogEntry) => log.push(entry) } as unknown as Context
  const reply = problemResponse(
    context,
    new Request(address, { headers: { Cookie: 'a=canary-cookie' } }),
    error,
  )
  const text = await reply.text()
  return {
    reply,
    text,
    body: JSON.parse(text) as ProblemBody,
    entry: log[0] as LogEntry,
    entries: log.length,
  }
}

test.each(Object.entries(PROBLEMS))(
  '%s is answered with its row of the table: %j (RFC 9457 3.1)',
  async (code, status) => {
    const { reply, body } = await thrown(new Problem(code as ProblemCode))
    expect(reply.status).toBe(status)
    expect(reply.headers.get('Content-Type')).toBe('application/problem+json')
    expect(body).toEqual({
      type: 'about:blank',
      title: code.replaceAll('_', ' '),
      status,
      code,
      ...(code === 'store_unavailable' && { retry_in_ms: 2000 }),
      support_id: 'request-id-1',
    })
  },
)

const CANARY = 'canary-secret-5b1'
const withCode = Object.assign(new Error(CANARY), { code: 'ERR_CANARY', status: 418, detail: CANARY })

group('anything but a Problem is an internal error', () => {
  test.each([
    ['an Error', new Error(CANARY)],
    ['an Error with a status', withCode],
    ['an Error with a cause', new TypeError('outside', { cause: new Error(CANARY) })],
    ['a text', CANARY],
    ['an object', { code: 'signed_out', status: 401, detail: CANARY }],
    ['a Response', new Response(CANARY)],
    ['nothing', undefined],
  ])('%s is answered with a support id and no detail (RFC 9457 5)', async (_, error) => {
    const { reply, text, body, entry, entries } = await thrown(error)
    expect([reply.status, Object.keys(body)]).toEqual([
      500,
      ['type', 'title', 'status', 'code', 'support_id'],
    ])
    expect(text).not.toContain('canary')
    expect(text).not.toContain('.ts')
    expect([entries, entry.level, entry.code]).toEqual([1, 'error', 'unknown'])
    expect(entry.support_id).toBe(body.support_id)
    expect(entry.cause).toBe(error === undefined ? undefined : describe(error))
  })
})

test('the cause of a Problem is in the log and not in the answer (RFC 9457 5)', async () => {
  const { text, entry } = await thrown(new Problem('upstream_down', { cause: new Error(CANARY) }))
  expect(text).not.toContain(CANARY)
  expect(entry).toMatchObject({ level: 'warn', code: 'upstream_down', status: 502 })
  expect(entry.cause).toContain(CANARY)
})

test('the log has the path up to 200 characters, never the query or a header (RFC 6749 10.3)', async () => {
  const { entry } = await thrown(new Problem('signed_out'))
  expect(entry).toEqual({
    level: 'info',
    event: 'problem',
    code: 'signed_out',
    support_id: 'request-id-1',
    method: 'GET',
    path: '/api/rate_limit',
    status: 401,
  })
  const far = await thrown(new Problem('not_found'), `http://localhost:3000/${'x'.repeat(5000)}\n`)
  expect(far.entry.path).toHaveLength(200)
})

test.each([
  [1, 1, '1'],
  [1500, 1500, '2'],
  [60_000, 60_000, '60'],
  [1000.4, 1001, '2'],
  [0, 0, '0'],
  [-5000, 0, '0'],
])(
  'a wait of %d ms is answered as %d ms and Retry-After: %s (RFC 9110 10.2.3)',
  async (wait, inMs, after) => {
    const { reply, body } = await thrown(new Problem('rate_limited', { retryInMs: wait }))
    expect(body.retry_in_ms).toBe(inMs)
    expect(reply.headers.get('Retry-After')).toBe(after)
  },
)

test('a problem without a wait has no Retry-After (RFC 9110 10.2.3)', async () => {
  const { reply, body } = await thrown(
    new Problem('month_suspected', { reasons: [{ code: 'payment_asked' }] }),
  )
  expect(reply.headers.get('Retry-After')).toBeNull()
  expect(body).not.toHaveProperty('retry_in_ms')
  expect(body.reasons).toEqual([{ code: 'payment_asked' }])
})

test('a cause is described by kind, code and message, with its own causes (RFC 9457 5)', () => {
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  expect(describe(refused)).toBe('Error ECONNREFUSED: connect')
  expect(describe(Object.assign(new TypeError('fetch failed', { cause: refused }), { code: 'X' }))).toBe(
    'TypeError X: fetch failed < Error ECONNREFUSED: connect',
  )
  expect(describe(new RangeError('odd'))).toMatch(/^RangeError: odd\n +at /)
  expect(describe('canary')).toBe('thrown: string')
})

test('causes that form a cycle are described five deep (RFC 9457 5)', () => {
  const [one, two] = [new Error('one'), new Error('two')]
  one.cause = two
  two.cause = one
  expect(describe(one).match(/Error: (one|two)/g)).toHaveLength(5)
})
