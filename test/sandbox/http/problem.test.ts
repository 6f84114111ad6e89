import { expect, test } from 'vitest'
import { REFUSALS, Refusal } from '../../../src/sandbox/http/problem.tsx'
import { open } from '../../kit/sandbox.ts'

test('every sentence has only characters of an error_description (RFC 6749 5.2)', () => {
  for (const { description } of Object.values(REFUSALS))
    expect(description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
})

test('a refusal has the status and the sentence of the table, or its own', () => {
  expect(new Refusal('not_found')).toMatchObject({
    status: 404,
    word: 'not_found',
    description: REFUSALS.not_found.description,
  })
  expect(new Refusal('not_found', { status: 403, word: 'other', description: 'No.' })).toMatchObject({
    status: 403,
    word: 'other',
    description: 'No.',
  })
  expect(new Refusal('missing_credential').word).toBeUndefined()
})

test('an API refusal is JSON with a code and a sentence (7)', async () => {
  const answer = await open().send('/nothing')
  expect(answer.status).toBe(404)
  expect(await answer.json()).toEqual({
    error: 'not_found',
    error_description: REFUSALS.not_found.description,
  })
})

test('on a page a refusal is HTML (RFC 6749 4.1.2.1)', async () => {
  const answer = await open().send('/oauth2/login?client_id=unknown')
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([400, 'text/html; charset=UTF-8'])
  expect(await answer.text()).toContain(REFUSALS.unknown_application.description)
})

test('an internal error answers 500 without its cause, which is in the log (RFC 9110 15.6.1)', async () => {
  const log: unknown[] = []
  const { send, key, signIn, clock } = open({ log: (entry) => log.push(entry) })
  const person = await signIn()
  // This is not an instant, so the month throws.
  clock.ms = Number.NaN
  const answer = await send('/organizations', { headers: key() })
  expect([answer.status, await answer.json()]).toEqual([
    500,
    { error: 'server_error', error_description: REFUSALS.server_error.description },
  ])
  const page = await send('/plan?organization_id=1001', { headers: person })
  expect([page.status, (await page.text()).includes('RangeError')]).toEqual([500, false])
  const cause = expect.stringContaining('RangeError')
  expect(log).toEqual([
    { event: 'sandbox_error', method: 'GET', path: '/organizations', cause },
    { event: 'sandbox_error', method: 'GET', path: '/plan', cause },
  ])
})

test('an internal error is also answered without a log (RFC 9110 15.6.1)', async () => {
  const { send, key, clock } = open()
  clock.ms = Number.NaN
  expect((await send('/organizations', { headers: key() })).status).toBe(500)
})
