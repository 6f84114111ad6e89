import { expect, test } from 'vitest'
import type { RecentRequest } from '../../../src/contract/quota.ts'
import { BUSINESS, startApp, type App, STANDARD } from '../../kit/app.ts'
import { type Person } from '../../kit/person.ts'

const PATH = `/organizations/${STANDARD}`
const HOUR_MS = 3_600_000

/** Each request to the service takes 10 ms. */
function ticking(): App {
  const fixture = startApp()
  fixture.intercept((request, through) => {
    fixture.advance(10)
    return through(request)
  })
  return fixture
}

const recentOf = async (browser: Person): Promise<readonly RecentRequest[]> =>
  (await browser.quota()).recent ?? []
const inWords = ({ kind, by, failed }: RecentRequest) => `${by} ${kind}${failed ? ' failed' : ''}`
const wordsOf = async (browser: Person) => (await recentOf(browser)).map(inWords)

test('a sign-in is one request of the list, with its age, and a person sees whose each is (8.3)', async () => {
  const fixture = ticking()
  const [mine, theirs] = [fixture.browser(), fixture.browser()]
  await mine.signIn()
  fixture.advance(5000)
  expect(await recentOf(mine)).toEqual([
    { id: expect.any(String), kind: 'sign_in', by: 'you', failed: false, age_ms: 5020 },
  ])
  await theirs.signIn()
  await mine.spend('/rate_limit')
  expect(await wordsOf(mine)).toEqual(['you check', 'another sign_in', 'you sign_in'])
  expect(await wordsOf(theirs)).toEqual(['another check', 'you sign_in', 'another sign_in'])
})

test('a refresh is part of the read that needed it, and the list has the newest three (5.4, 8.3)', async () => {
  const fixture = ticking()
  const browser = fixture.browser()
  await browser.signIn()
  fixture.advance(HOUR_MS)
  await browser.spend(PATH)
  expect(await wordsOf(browser)).toEqual(['you read', 'you sign_in'])
  for (const path of ['/rate_limit', PATH, '/rate_limit']) await browser.spend(path)
  expect(await wordsOf(browser)).toEqual(['you check', 'you read', 'you check'])
  expect(new Set((await recentOf(browser)).map(({ id }) => id)).size).toBe(3)
})

test('a read is in the list while it runs, with the refresh before it, and fails without an answer (8.3)', async () => {
  const fixture = startApp()
  const browser = fixture.browser()
  await browser.signIn()
  fixture.advance(HOUR_MS)
  const during: string[][] = []
  fixture.intercept(async (request, through) => {
    fixture.advance(10)
    during.push(await wordsOf(browser))
    if (request.url.includes('/oauth2/')) return through(request)
    throw Object.assign(new Error('no answer'), { code: 'ECONNRESET' })
  })
  await browser.spend(PATH)
  expect(during).toEqual([['you sign_in'], ['you read', 'you sign_in']])
  expect(await wordsOf(browser)).toEqual(['you read failed', 'you sign_in'])
})

test('a read after an early refusal of the token is one, a refused one failed, one not sent is none (5.4)', async () => {
  const fixture = ticking()
  const browser = fixture.browser()
  await browser.signIn()
  let refusals = 1
  fixture.intercept((request, through) => {
    fixture.advance(10)
    const isRefused = !request.url.includes('/oauth2/') && refusals-- > 0
    return isRefused ? Promise.resolve(new Response('', { status: 401 })) : through(request)
  })
  await browser.spend(PATH)
  expect(await wordsOf(browser)).toEqual(['you read', 'you sign_in'])
  fixture.intercept(() => Promise.resolve(new Response('{}', { status: 404 })))
  fixture.advance(10)
  await browser.spend(PATH)
  fixture.intercept(() => Promise.reject(Object.assign(new Error('not sent'), { code: 'ECONNREFUSED' })))
  fixture.advance(10)
  await browser.spend('/rate_limit')
  expect(await wordsOf(browser)).toEqual(['you read failed', 'you read', 'you sign_in'])
})

test('a refresh that no read followed is in the list (5.4, 8.3)', async () => {
  const fixture = startApp()
  const browser = fixture.browser()
  await browser.signIn()
  fixture.advance(HOUR_MS)
  fixture.intercept(() => Promise.resolve(new Response('{"error":"invalid_grant"}', { status: 400 })))
  await browser.spend(PATH)
  const other = fixture.browser()
  fixture.intercept(undefined)
  fixture.advance(10)
  await other.signIn()
  expect(await wordsOf(other)).toEqual(['you sign_in', 'another refresh failed', 'another sign_in'])
})

test('the list has no request of another organization, and no names or paths (8.3)', async () => {
  const fixture = ticking()
  const [browser, stranger] = [fixture.browser(), fixture.browser()]
  await browser.signIn()
  await stranger.signIn(BUSINESS, 'Cleo')
  const text = JSON.stringify(await recentOf(browser))
  expect(await wordsOf(browser)).toEqual(['you sign_in'])
  expect(text).not.toMatch(/Ada|Cleo|organizations|1001|2002/)
  expect(fixture.paid()).toHaveLength(2)
})

test('the ledger is read once for the list until something has changed, and for each organization (8.3)', async () => {
  const fixture = ticking()
  const [browser, other] = [fixture.browser(), fixture.browser()]
  await browser.signIn()
  await other.signIn(BUSINESS, 'Cleo')
  const asked: string[] = []
  const { listEntries } = fixture.store
  fixture.store.listEntries = (organization, options) => {
    asked.push(`${organization} ${options.most}`)
    return listEntries(organization, options)
  }
  for (const one of [browser, browser, other, browser, other]) await one.quota()
  expect(asked).toEqual([`${STANDARD} 8`, `${BUSINESS} 8`])
  await other.spend('/rate_limit')
  expect(await wordsOf(browser)).toEqual(['you sign_in'])
  expect((await wordsOf(other))[0]).toBe('you check')
})
