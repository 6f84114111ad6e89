import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readFault } from '../../src/contract/fault.ts'
import {
  asProblem,
  isStoreFailure,
  parseProblem,
  Problem,
  problemBody,
  type ProblemCode,
  PROBLEMS,
} from '../../src/contract/problem.ts'
import { readReasons, REASONS } from '../../src/contract/reason.ts'

const codes = Object.keys(PROBLEMS) as ProblemCode[]

test.each(codes)('%s is read on the page as it was written (RFC 9457 3)', (code) => {
  const options = {
    fault: 'unknown_member',
    known: ['state'],
    retryInMs: 1500,
    reasons: [{ code: 'minute_used_up' }],
  } as const
  const body = problemBody(new Problem(code, options), 'id-1')
  expect(body).toMatchObject({
    type: 'about:blank',
    status: PROBLEMS[code],
    title: code.replaceAll('_', ' '),
    code,
    support_id: 'id-1',
  })
  expect(parseProblem(JSON.parse(JSON.stringify(body)))).toMatchObject({
    code,
    ...options,
    supportId: 'id-1',
  })
})

test('the cause is not in the body, and neither is what is not known (RFC 9457 5)', () => {
  const problem = new Problem('upstream_down', { cause: new Error('secret') })
  expect(Object.keys(problemBody(problem, 'id-1'))).toEqual(['type', 'title', 'status', 'code', 'support_id'])
  expect(JSON.stringify(problemBody(problem, 'id-1'))).not.toContain('secret')
  expect(problem.cause).toBeInstanceOf(Error)
})

test.each([
  [-5, 0],
  [0.2, 1],
  [1000, 1000],
])('a wait of %d ms is written as %d whole milliseconds, never below zero (7)', (retryInMs, written) => {
  expect(problemBody(new Problem('rate_limited', { retryInMs }), 'id').retry_in_ms).toBe(written)
})

const BODY = {
  ...problemBody(new Problem('rate_limited'), 'id-1'),
  retry_in_ms: 5,
  reasons: [{ code: 'payment_asked' }],
  fault: 'body_not_json',
}

test('members that are not known are left out (RFC 9457 3.2)', () => {
  expect(parseProblem({ ...BODY, instance: 7 })).toMatchObject({
    code: 'rate_limited',
    retryInMs: 5,
    fault: 'body_not_json',
  })
})

test.each([
  undefined,
  null,
  '',
  'rate_limited',
  [],
  {},
  { ...BODY, code: 'toString' },
  { ...BODY, code: '__proto__' },
  { ...BODY, code: 'invented' },
  { ...BODY, code: 7 },
  { ...BODY, code: ['rate_limited'] },
  { ...BODY, title: undefined },
  { ...BODY, status: '429' },
  { ...BODY, fault: 'a sentence' },
  { ...BODY, known: 'state' },
  { ...BODY, retry_in_ms: '5' },
  { ...BODY, retry_in_ms: -1 },
  { ...BODY, reasons: [{ code: 'payment_asked' }, 2] },
  { ...BODY, reasons: [{ code: 'toString' }] },
  { ...BODY, support_id: undefined },
])('%j is no problem of ours (RFC 9457 3.1)', (body) => {
  expect(() => parseProblem(body)).toThrow(expect.objectContaining({ code: 'unexpected_reply' }))
})

test('no body makes it throw anything else (RFC 9457 3.1)', () => {
  const members = fc.record(
    Object.fromEntries(
      Object.entries(BODY).map(([name, value]) => [name, fc.oneof(fc.constant(value), fc.anything())]),
    ),
  )
  fc.assert(
    fc.property(members, (body) => {
      const codes = (work: () => Problem) => {
        try {
          return work().code
        } catch (error) {
          return (error as Problem).code
        }
      }
      expect(codes(() => parseProblem(body))).toBeOneOf(['rate_limited', 'unexpected_reply'])
    }),
  )
})

test('a thrown value becomes a Problem, and is kept as its cause (RFC 9457 4)', () => {
  const problem = new Problem('signed_out')
  expect(asProblem(problem)).toBe(problem)
  expect(asProblem('x')).toMatchObject({ code: 'unknown', cause: 'x' })
})

test('a failure of the store is its Problem, and no other (7)', () => {
  const errors = [
    new Problem('store_unavailable'),
    new Problem('unknown'),
    new Error('store_unavailable'),
    'store_unavailable',
  ]
  expect(errors.map(isStoreFailure)).toEqual([true, false, false, false])
})

test('a fault is a code of the table, and no sentence (RFC 9457 3.2)', () => {
  expect(readFault('read_at_in_the_future')).toBe('read_at_in_the_future')
  for (const other of ['', 'The body is not JSON.', 'toString', 7, null])
    expect(() => readFault(other)).toThrow(TypeError)
})

test('reasons are read whole, with the numbers that they have, without unknown members (8.4.3)', () => {
  const numbers = { count: 1, limit: 2, since: 3, age_ms: 4 }
  const reasons = REASONS.map((code) => ({ code, ...numbers }))
  expect(readReasons(reasons)).toEqual(reasons)
  expect(readReasons([{ code: 'payment_asked', words: 'x' }])).toEqual([{ code: 'payment_asked' }])
})

test.each([
  'payment_asked',
  [{ code: 'toString' }],
  [{}],
  ['payment_asked'],
  ...['count', 'limit', 'since', 'age_ms'].map((name) => [{ code: 'payment_asked', [name]: -1 }]),
])('%j is no list of reasons (8.4.3)', (value) => {
  expect(() => readReasons(value)).toThrow(TypeError)
})
