import { expect, test } from 'vitest'
import { PROBLEMS, Problem, type ProblemCode, parseProblem, problemBody } from '../../src/contract/problem.ts'

const codes = Object.keys(PROBLEMS) as ProblemCode[]

test.each(codes)('%s survives the way to the page and back (RFC 9457 3)', (code) => {
  const told = { detail: 'state', retryInMs: 1500, reasons: ['The minute is over.'] }
  const body = problemBody(new Problem(code, told), 'id-1')
  expect(body).toMatchObject({ type: 'about:blank', status: PROBLEMS[code].status, code, support_id: 'id-1' })
  expect(parseProblem(JSON.parse(JSON.stringify(body)))).toMatchObject({ code, ...told })
})

test('the cause never leaves the house, and what is not known is not there (RFC 9457 5)', () => {
  const problem = new Problem('upstream_down', { cause: new Error('secret') })
  expect(Object.keys(problemBody(problem, 'id-1'))).toEqual(['type', 'title', 'status', 'code', 'support_id'])
  expect(JSON.stringify(problemBody(problem, 'id-1'))).not.toContain('secret')
  expect(problem.cause).toBeInstanceOf(Error)
})

test.each([
  [-5, 0],
  [0.2, 1],
  [1000, 1000],
])('a wait of %d ms is told as %d whole milliseconds, never as less than none (7)', (retryInMs, told) => {
  expect(problemBody(new Problem('rate_limited', { retryInMs }), 'id').retry_in_ms).toBe(told)
})

test.each([
  undefined,
  null,
  '',
  'rate_limited',
  [],
  {},
  { code: 'toString' },
  { code: '__proto__' },
  { code: 7 },
])('a reply that is not ours, as %j, is the unknown problem (RFC 9457 3.1)', (body) => {
  expect(parseProblem(body).code).toBe('unknown')
})

test('members of another type are left out (RFC 9457 3.1)', () => {
  const body = { code: 'rate_limited', detail: 7, retry_in_ms: '5', reasons: ['one', 2] }
  expect(parseProblem(body)).toMatchObject({ detail: undefined, retryInMs: undefined, reasons: ['one'] })
})
