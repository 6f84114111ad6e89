import { describe, expect, test } from 'vitest'
import type { Choices } from '../../../src/sandbox/choices/choices.ts'
import { REFUSALS } from '../../../src/sandbox/http/handler.ts'
import { REFUSAL_BODIES } from '../../../src/sandbox/http/page.tsx'
import { open } from '../../kit/sandbox.ts'

const message = REFUSALS.not_found[1]

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
    const body = REFUSAL_BODIES.not_json({ status, word: 'not_found', description: message })
    expect([body.type, body.text]).toEqual([type, expect.stringContaining(text)])
    expect(() => JSON.parse(body.text)).toThrow(SyntaxError)
  })
})

test('a shape that needs a code also has one without a credential (RFC 6750 3)', async () => {
  const answer = await open({ choices: { errbody: 'code_message' } }).send('/organizations')
  expect(await answer.json()).toMatchObject({ code: 'unauthorized' })
})

test('the fault server_error answers it once, without effect, and is in the request log (U44)', async () => {
  const { send, key, sandbox } = open()
  sandbox.control.addFault({ operation: 'organizations', kind: 'server_error' })
  expect((await send('/organizations', { headers: key() })).status).toBe(503)
  expect(sandbox.control.requestLog().at(-1)).toMatchObject({
    rule: 'fault_server_error',
    cost: { month: 0 },
  })
  expect((await send('/organizations', { headers: key() })).status).toBe(200)
  expect(sandbox.snapshot().months['1001']?.count).toBe(1)
})
