import { expect, test } from 'vitest'
import { open, rate, START_MS } from './_sandbox.ts'

type Opened = ReturnType<typeof open>
const DECEMBER_MS = Date.UTC(2026, 11, 1)

/** Reads until so many were served, a minute further whenever one is used up. */
async function spend({ api, key, clock }: Opened, times: number) {
  for (let left = times; left > 0; left -= 50) {
    await api(Math.min(50, left), '/organizations', key())
    clock.ms += 60_000
  }
}
const count = (opened: Opened, id: string) => opened.sandbox.snapshot().months[id]?.count

test('the 100th request in a month on Standard is served, the 101st answers 429 with requests of the minute left (8.3)', async () => {
  const opened = open()
  await spend(opened, 99)
  const headers = opened.key()
  expect((await opened.send('/organizations', { headers })).status).toBe(200)
  const refused = await opened.send('/organizations', { headers })
  expect(refused.status).toBe(429)
  expect(rate(refused)).toEqual({ limit: 60, remaining: 59, reset: Math.floor(opened.clock.ms / 1000) + 60 })
  expect(count(opened, '1001')).toBe(100)
})

test('the month is of the organization: keys and tokens, reads and updates, whatever their answer (8.3)', async () => {
  const opened = open()
  await spend(opened, 96)
  const bearer = await opened.bearer()
  await opened.send('/organizations/2002', { headers: bearer })
  await opened.send('/nothing', { headers: bearer, method: 'POST' })
  await opened.send('/organizations', { headers: opened.key(), method: 'DELETE' })
  expect((await opened.send('/rate_limit', { headers: bearer })).status).toBe(200)
  for (const headers of [bearer, opened.key()])
    for (const method of ['GET', 'POST'])
      expect((await opened.send('/organizations', { headers, method })).status).toBe(429)
  expect(count(opened, '1001')).toBe(100)
})

test('Business has no end of the month, and Standard does not count for it (8.3)', async () => {
  const opened = open()
  await spend(opened, 100)
  const answer = await opened.api(600, '/organizations', opened.key(2002))
  expect(answer.status).toBe(200)
  expect(count(opened, '2002')).toBe(600)
})

test('the month is reset at its first instant in UTC, to the millisecond (8.3)', async () => {
  const opened = open()
  await spend(opened, 100)
  const status = async () => (await opened.send('/organizations', { headers: opened.key() })).status
  opened.clock.ms = DECEMBER_MS - 1
  expect(await status()).toBe(429)
  opened.clock.ms = DECEMBER_MS
  expect(await status()).toBe(200)
  expect(count(opened, '1001')).toBe(1)
})

test('the month is reset in another zone where that is chosen (8.3)', async () => {
  const opened = open({ choices: { month_zones: ['Asia/Tokyo'] } })
  await spend(opened, 100)
  const status = async () => (await opened.send('/organizations', { headers: opened.key() })).status
  opened.clock.ms = DECEMBER_MS - 9 * 3_600_000 - 1
  expect(await status()).toBe(429)
  opened.clock.ms += 1
  expect(await status()).toBe(200)
})

test('each of twelve months has its hundred (8.3)', async () => {
  const opened = open()
  for (let month = 0; month < 12; month += 1) {
    opened.clock.ms = Date.UTC(2027, month, 1)
    await spend(opened, 100)
    expect((await opened.send('/organizations', { headers: opened.key() })).status).toBe(429)
    opened.clock.ms = Date.UTC(2027, month + 1, 1) - 1
    expect((await opened.send('/organizations', { headers: opened.key() })).status).toBe(429)
  }
})

test('the refusal has another status where that is chosen (8.3)', async () => {
  const opened = open({ choices: { month_refusal_status: 403 } })
  await spend(opened, 100)
  const refused = await opened.send('/organizations', { headers: opened.key() })
  expect([refused.status, rate(refused).remaining]).toEqual([403, 60])
})

test('the plan page shows the plan, the live monthly access count and its reset (8.3)', async () => {
  const opened = open()
  await spend(opened, 37)
  const headers = await opened.signIn()
  const page = await (await opened.send('/plan?organization_id=1001', { headers })).text()
  expect(page).toContain('monthly access count')
  expect(page).toMatch(/<strong>37<\/strong>\s*of 100 requests/)
  expect(page).toContain('1 December 2026')
  expect(page).toContain('>standard<')
})

test('the plan page of Business says unlimited, and 0 before the first request (8.3)', async () => {
  const { send, signIn } = open()
  const page = await (await send('/plan?organization_id=2002', { headers: await signIn('cleo') })).text()
  expect(page).toMatch(/<strong>0<\/strong>\s*requests, unlimited/)
})

test('the plan page is for members who are signed in (5.3)', async () => {
  const { send, signIn } = open()
  expect(await (await send('/plan?organization_id=1001')).text()).toContain('Who are you?')
  expect((await send('/plan?organization_id=1001', { headers: await signIn('cleo') })).status).toBe(404)
})

test('a clock that is set back to an earlier month counts in that month (8.3)', async () => {
  const opened = open()
  opened.clock.ms = DECEMBER_MS
  await spend(opened, 3)
  opened.clock.ms = START_MS
  await spend(opened, 1)
  expect(count(opened, '1001')).toBe(1)
})
