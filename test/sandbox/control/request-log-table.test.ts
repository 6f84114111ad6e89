import { expect, test } from 'vitest'
import { openControl } from '../_control.ts'

test('the request log shows request, rule, cost and verdicts, the newest first, and escapes them', async () => {
  const opened = openControl()
  await opened.send('/organizations', { headers: opened.key() })
  await opened.send('/rate_limit?client_id=<b>', { headers: { ...opened.key(), Authorization: 'Bearer x' } })
  const page = await opened.page()
  expect(page).toContain('2 requests; 1 with a verdict.')
  expect(page).toContain('1 read, 1 of the month')
  expect(page).toContain('two credentials')
  expect(page).not.toContain('<b>')
  expect(page.indexOf('/rate_limit')).toBeLessThan(page.indexOf('GET /organizations'))
})

test('a long log shows its last 100 entries', async () => {
  const opened = openControl()
  await opened.api(101, '/', {})
  const page = await opened.page()
  expect(page).toContain('101 requests, the last 100 of them here; no verdict.')
  expect(page.match(/<tr>/g)).toHaveLength(101)
})

test('an empty log cannot be cleared', async () => {
  expect(await openControl().page()).not.toContain('value="clear_log"')
})
