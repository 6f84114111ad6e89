import { expect, test } from 'vitest'
import { Problem } from '../../src/contract/problem.ts'
import { createFixture, STANDARD } from '../_fixture.ts'

const PATH = `/organizations/${STANDARD}`

test('every request is recorded before it is sent (8.3)', async () => {
  const fixture = createFixture()
  const browser = fixture.browser()
  await browser.signIn()
  const { reserve } = fixture.store
  const order: string[] = []
  fixture.store.reserve = async (entry) => {
    await reserve(entry)
    order.push(`recorded ${entry.kind} ${entry.path}`)
  }
  fixture.intercept((request, through) => {
    order.push(`sent ${new URL(request.url).pathname}`)
    return through(request)
  })
  fixture.advance(3_600_000)
  await browser.spend(PATH)
  expect(order).toEqual([
    'recorded token.refresh /oauth2/token',
    'sent /oauth2/token',
    'recorded api.read /organizations/{id}',
    `sent ${PATH}`,
  ])
})

test('a request that cannot be recorded is not sent (8.3)', async () => {
  const fixture = createFixture()
  const browser = fixture.browser()
  await browser.signIn()
  fixture.store.reserve = () => Promise.reject(new Problem('store_unavailable'))
  const { status, body } = await browser.spend(PATH)
  expect([status, body.code]).toEqual([503, 'store_unavailable'])
  expect(fixture.paid()).toHaveLength(1)
})

test('an answer is not lost because it cannot be settled (8.3)', async () => {
  const fixture = createFixture()
  const browser = fixture.browser()
  await browser.signIn()
  fixture.store.settle = () => Promise.reject(new Problem('store_unavailable'))
  expect((await browser.spend(PATH)).status).toBe(200)
  expect((await browser.quota()).month).toMatchObject({ low: 1, high: 3 })
})

test('no row of the ledger contains a token or a body (8.3)', async () => {
  const fixture = createFixture()
  const rows: unknown[] = []
  const { reserve } = fixture.store
  fixture.store.reserve = (entry) => {
    rows.push(entry)
    return reserve(entry)
  }
  const browser = fixture.browser()
  await browser.signIn()
  const bearer = fixture.sent[1]?.headers.get('Authorization')?.slice('Bearer '.length) ?? ''
  expect(rows).toHaveLength(2)
  expect(bearer.length).toBeGreaterThan(20)
  expect(JSON.stringify(rows)).not.toContain(bearer)
})
