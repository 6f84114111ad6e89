import { expect, test } from 'vitest'
import { countOf, increment } from '../../../src/sandbox/token/minute-counter.ts'
import { OWN_LIMIT_PER_MINUTE } from '../../../src/sandbox/token/token-limit.ts'
import { open } from '../../kit/sandbox.ts'

test('toklimit not_counted: a token request is neither counted nor limited (U31, 8.2)', async () => {
  const { refresh, sandbox } = open()
  for (let nth = 0; nth < 200; nth += 1) expect((await refresh('bogus')).status).toBe(400)
  const { windows, months } = sandbox.snapshot()
  expect([windows, months]).toEqual([{}, {}])
})

test('toklimit counts_as_update: it counts as an update, and in the month of the grant (U31, 8.2)', async () => {
  const { authorize, exchange, refresh, sandbox, clock } = open({ choices: { toklimit: 'counts_as_update' } })
  let { body } = await exchange(await authorize())
  const monthly = () => sandbox.snapshot().months['1001']?.count
  expect(monthly()).toBe(1)
  for (let nth = 2; nth <= 15; nth += 1) body = (await refresh(body.refresh_token)).body
  const refused = await refresh(body.refresh_token)
  expect([refused.status, monthly()]).toEqual([429, 15])
  clock.ms += 60_000
  expect([(await refresh(body.refresh_token)).status, monthly()]).toEqual([200, 16])
})

test('toklimit counts_as_update: an unknown refresh token counts, a wrong secret does not (U31)', async () => {
  const { refresh, sandbox, seed } = open({ choices: { toklimit: 'counts_as_update' } })
  await refresh('bogus')
  await refresh('bogus', { client_secret: 'wrong' })
  expect(sandbox.snapshot().months[String(seed.applications[0]?.organization_id)]?.count).toBe(1)
})

test('toklimit own_limit: 429 with Retry-After, and the refresh token stays valid (U31, RFC 6585 4)', async () => {
  const { authorize, exchange, refresh, sandbox, clock } = open({ choices: { toklimit: 'own_limit' } })
  const { body } = await exchange(await authorize())
  clock.ms += 500
  for (let nth = 2; nth <= OWN_LIMIT_PER_MINUTE; nth += 1) expect((await refresh('bogus')).status).toBe(400)
  const refused = await refresh(body.refresh_token)
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '60'])
  clock.ms += 59_500
  expect((await refresh(body.refresh_token)).status).toBe(200)
  expect(sandbox.snapshot().months).toEqual({})
})

function contextAt(nowMs: number) {
  const state = open().sandbox.snapshot()
  const context = { state, nowMs, change: (edit: (known: typeof state) => void) => edit(state) }
  return context as never as Parameters<typeof increment>[0] & { nowMs: number }
}

test('a counter is valid for the minute that its first request opens, and is then deleted', () => {
  const context = contextAt(1000)
  expect(countOf(context, 'a')).toEqual({ count: 0, ends_at_ms: 61_000 })
  increment(context, 'a')
  context.nowMs = 60_999
  increment(context, 'a')
  expect([countOf(context, 'a'), countOf(context, 'b').count]).toEqual([{ count: 2, ends_at_ms: 61_000 }, 0])
  context.nowMs = 61_000
  expect(countOf(context, 'a').count).toBe(0)
  increment(context, 'b')
  expect(Object.keys(context.state.minute_counts)).toEqual(['b'])
})
