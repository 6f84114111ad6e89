import { expect, test } from 'vitest'
import { open } from './_sandbox.ts'

test('what is refused before it is known whose it is counts for nobody (8)', async () => {
  const { send, sandbox } = open()
  for (const path of ['/organizations', '/nothing', '/rate_limit']) await send(path)
  expect(sandbox.snapshot()).toMatchObject({ windows: {}, months: {}, drawn: 0 })
})

test('a valid credential pays for every answer but 429: 200, 404 and 405 (8.3)', async () => {
  const { send, key, sandbox } = open()
  for (const [path, method] of [
    ['/organizations', 'GET'],
    ['/nothing', 'GET'],
    ['/organizations/2002', 'GET'],
    ['/rate_limit', 'PUT'],
  ])
    await send(path!, { method: method!, headers: key() })
  expect(sandbox.snapshot().months['1001']?.count).toBe(4)
})

test('a used-up minute is told before what the address is (8.4.3)', async () => {
  const { api, key } = open()
  await api(60, '/organizations', key())
  expect((await api(1, '/nothing', key())).status).toBe(429)
})

test('pages cost nothing, whoever looks at them (8)', async () => {
  const { send, key, signIn, sandbox } = open()
  const headers = { ...key(), ...(await signIn()) }
  for (const path of ['/', '/plan?organization_id=1001', '/projects?organization_id=1001', '/style.css']) {
    const answer = await send(path, { headers })
    expect([answer.status, answer.headers.has('X-RateLimit-Limit')]).toEqual([200, false])
  }
  expect(sandbox.snapshot().months).toEqual({})
})

test('a plan that changes changes the limits at once, and keeps the count (8)', async () => {
  const first = open()
  await first.api(60, '/organizations', first.key())
  const state = first.sandbox.snapshot()
  state.organizations[0]!.plan = 'business'
  const { api, key } = open({ state })
  const answer = await api(1, '/organizations', key())
  expect([
    answer.status,
    answer.headers.get('X-RateLimit-Limit'),
    answer.headers.get('X-RateLimit-Remaining'),
  ]).toEqual([200, '600', '539'])
})

test('a plan that is lowered below what was used leaves nothing, and not less (2.2)', async () => {
  const first = open()
  await first.api(70, '/organizations', first.key(2002))
  const state = first.sandbox.snapshot()
  state.organizations[1]!.plan = 'standard'
  const { api, key } = open({ state })
  const answer = await api(1, '/organizations', key(2002))
  expect([answer.status, answer.headers.get('X-RateLimit-Remaining')]).toEqual([429, '0'])
})
