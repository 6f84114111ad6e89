import { expect, test } from 'vitest'
import { openApp } from '../kit/cleanup.ts'
import { signIn } from '../kit/service.ts'
import { openTokenService, TOKENS } from '../kit/service.ts'

const DAY_MS = 86_400_000

test('a 502 with a Date 40 days ahead changes no count, before and after a restart (8.3, attack 35)', async () => {
  let next: { status: number; aheadMs: number } | undefined
  const settings = await openTokenService((path) => {
    const headers = { Date: new Date(Date.now() + (next?.aheadMs ?? 0)).toUTCString() }
    const body = path.endsWith('/oauth2/token') ? JSON.stringify(TOKENS) : '{"id":7}'
    return next?.status === 502 ? { status: 502, headers, body: '<h1>Bad Gateway' } : { headers, body }
  })
  const running = await openApp(settings)
  const { call } = await signIn(running, '7')
  const read = async (status: number) => {
    let answer = await call('/api/organizations/7', '1')
    // A read within a second of the last one shares its answer, for 0 requests.
    while (answer.headers.get('X-Plimsoll-Spent') === '0') answer = await call('/api/organizations/7', '1')
    expect(answer.status).toBe(status)
  }
  const count = async () => {
    const { month } = (await (await call('/bff/quota')).json()) as { month: { low: number; high: number } }
    const { entries } = (await (await call('/bff/ledger')).json()) as { entries: unknown[] }
    return [month.low, month.high, entries.length]
  }
  for (const aheadMs of [40 * DAY_MS, -40 * DAY_MS]) {
    const [low = 0, high = 0, rows = 0] = await count()
    next = { status: 502, aheadMs }
    await read(502)
    expect(await count()).toEqual([low, high + 1, rows + 1])
    next = { status: 200, aheadMs }
    await read(200)
    expect(await count()).toEqual([low + 1, high + 2, rows + 2])
    next = undefined
    await read(200)
    expect(await count()).toEqual([low + 2, high + 3, rows + 3])
  }
  const before = await count()
  await running.killAndRestart()
  expect(await count()).toEqual(before)
}, 120_000)
