import { expect, test } from 'vitest'
import { DEFAULT_CHOICES, type Choices } from '../../../src/sandbox/choices/choices.ts'
import { outageAnswer } from '../../../src/sandbox/http/outage.ts'
import { open } from '../../kit/sandbox.ts'

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
