import { expect, test } from 'vitest'
import { ControlError, withInvalidRequest } from '../../../src/sandbox/control/control-error.ts'
import { openControl } from '../_control.ts'
import { FORM } from '../../kit/sandbox.ts'

const fail = (thrown: unknown) => () => {
  throw thrown
}

test('an Error of an action becomes invalid_request, with its message cut at 4000 characters', () => {
  expect(withInvalidRequest(() => 1)).toBe(1)
  const problemOf = (thrown: unknown) => {
    try {
      return withInvalidRequest(fail(thrown))
    } catch (error) {
      return error instanceof ControlError ? error.problem : undefined
    }
  }
  expect(problemOf(new Error('x'.repeat(5000)))).toEqual({
    error: 'invalid_request',
    description: 'x'.repeat(4000),
    status: 400,
  })
  expect(problemOf('text')?.description).toBe('text')
})

test('an error is JSON for tools and a page for browsers', async () => {
  const { ask, press } = openControl()
  const json = await ask('/nothing')
  expect([json.status, await json.json()]).toEqual([
    404,
    { error: 'not_found', error_description: 'There is nothing at this address.' },
  ])
  const page = await press('/', { do: 'nothing' })
  expect([page.status, page.headers.get('Content-Type')]).toEqual([400, 'text/html; charset=UTF-8'])
})

test('HEAD is answered as GET, without a body (RFC 9110 9.3.2)', async () => {
  const answer = await openControl().ask('/profile', { method: 'HEAD' })
  expect([answer.status, await answer.text()]).toEqual([200, ''])
})

test('JSON may have a character set, and an empty body counts as none', async () => {
  const { json, ask } = openControl()
  const headers = { 'Content-Type': 'application/json; charset=utf-8' }
  expect((await json('PATCH', '/profile', { deny: 'page' }, headers)).status).toBe(200)
  expect((await ask('/reset', { method: 'POST', headers, body: '' })).status).toBe(204)
})

test('a form without the csrf token is refused with the reason (RFC 6749 10.12)', async () => {
  const answer = await openControl().ask('/', { method: 'POST', headers: FORM, body: 'do=freeze' })
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('csrf token')])
})
