import { expect, test } from 'vitest'
import { openControl } from '../_control.ts'
import { FORM } from '../_sandbox.ts'

test('HEAD is answered as GET, without a body (RFC 9110 9.3.2)', async () => {
  const answer = await openControl().ask('/profile', { method: 'HEAD' })
  expect([answer.status, await answer.text()]).toEqual([200, ''])
})

test('JSON may have a character set; an empty body counts as none', async () => {
  const { json, ask } = openControl()
  const headers = { 'Content-Type': 'application/json; charset=utf-8' }
  expect((await json('PATCH', '/profile', { deny: 'page' }, headers)).status).toBe(200)
  expect((await ask('/reset', { method: 'POST', headers, body: '' })).status).toBe(204)
})

test('a form without the csrf token is refused with the reason (RFC 6749 10.12)', async () => {
  const answer = await openControl().ask('/', { method: 'POST', headers: FORM, body: 'do=freeze' })
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('csrf token')])
})
