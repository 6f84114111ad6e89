import { expect, test } from 'vitest'
import { ANSWER_FILTERS, filterLog, KIND_FILTERS } from '../../../src/sandbox/control/request-log-filter.ts'
import { openControl } from '../_control.ts'

async function opened() {
  const all = openControl()
  await all.send('/organizations', { headers: all.key() })
  await all.send('/organizations')
  await all.send('/nothing')
  await all.signIn()
  await all.send(all.authorizePath())
  await all.token({ grant_type: 'refresh_token' })
  await all.send('/plan?organization_id=1001')
  all.control.addFault({ operation: 'any', kind: 'status', status: 503 })
  await all.send('/rate_limit')
  all.control.addFault({ operation: 'any', kind: 'reset' })
  await all.send('/rate_limit').catch(() => {})
  return all
}

test.each([
  ['', 9],
  ['kind=api', 5],
  ['kind=sign_in', 1],
  ['kind=tokens', 1],
  ['kind=pages', 2],
  ['answer=2xx', 3],
  ['answer=3xx', 1],
  ['answer=4xx', 3],
  ['answer=429', 0],
  ['answer=5xx', 1],
  ['answer=none', 1],
  ['answer=fault', 2],
  ['answer=verdict', 1],
  ['kind=api&answer=2xx', 1],
  ['kind=constructor&answer=__proto__', 9],
])('the filter %j shows %i of 9', async (query, count) => {
  const entries = (await opened()).control.requestLog()
  expect(entries).toHaveLength(9)
  expect(filterLog(entries, new URLSearchParams(query))).toHaveLength(count)
})

test('the page has a field for each filter, and shows the filtered entries', async () => {
  const { page } = await opened()
  const text = await page('/?kind=sign_in&answer=')
  for (const value of [...Object.keys(KIND_FILTERS), ...Object.keys(ANSWER_FILTERS)])
    expect(text).toContain(`<option value="${value}"`)
  expect(text).toContain('<option value="sign_in" selected=""')
  expect(text).toContain('1 of 9 requests; no verdict.')
  expect(text.match(/<tr>/g)).toHaveLength(2)
})

test('the request log shows request, rule, cost and verdicts, escaped, with the newest first', async () => {
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
