import { expect, test } from 'vitest'
import {
  asProblem,
  isStoreFailure,
  problemOf,
  Problem,
  problemBody,
  type ProblemBody,
  type ProblemCode,
  PROBLEMS,
} from '../../src/contract/problem.ts'

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
  expect(problemOf(JSON.parse(JSON.stringify(body)))).toMatchObject({
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

const BODY = problemBody(new Problem('rate_limited'), 'id-1')

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
  { ...BODY, support_id: undefined },
])('%j is no problem of ours (RFC 9457 3.1)', (body) => {
  expect(problemOf(body as Partial<ProblemBody>)).toMatchObject({ code: 'unexpected_reply' })
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
