import { expect, test } from 'vitest'
import { failIn, onCall } from '../../kit/store-methods.ts'
import { ANOTHER_BROWSER } from '../../../src/contract/chosen-name.ts'
import { type Credential } from '../../../src/bff/session/grant.ts'
import { endBecause, endOfSession, listingFor, sessionsOfOwner } from '../../../src/bff/session/owner.ts'
import { type LoadedSession, parseSecret, senderOf, storeSession } from '../../../src/bff/session/record.ts'
import { parseOrganizationId } from '../../../src/contract/organization.ts'
import { APP, BROWSER_COOKIE, COOKIES } from '../../kit/config.ts'
import { createContext, START_MS } from '../_context.ts'
import {
  changeBrowserName,
  keepBrowserName,
  MOST_NAMES,
  readBrowserNames,
} from '../../../src/bff/session/browser-names.ts'
import { Problem } from '../../../src/contract/problem.ts'

const KEY = { method: 'api_key', apiKey: 'a-key', name: 'name of a-key' } as Credential
const OTHER_KEY = { method: 'api_key', apiKey: 'another-key', name: 'name of another-key' } as Credential
const OAUTH: Credential = {
  method: 'oauth',
  organizationId: parseOrganizationId('1001'),
  tokens: { accessToken: 'at', staleAtMs: START_MS, expiresAtMs: START_MS },
}
const requestWith = (cookie = '') => new Request(`${APP}/`, { headers: { Cookie: cookie } })
const valueOf = (setCookie = '') => /=([^;]*);/.exec(setCookie)?.[1] ?? ''

test('browsers with one API key have one owner, and ids of 128 random bits that are not stored (5.1)', () => {
  const first = listingFor({ cookies: COOKIES }, requestWith(), KEY)
  const id = valueOf(first.browserCookie)
  expect(Buffer.from(id, 'base64url')).toHaveLength(16)
  expect(first.browserId).toMatch(/^[\w-]{22}$/)
  const again = requestWith(`${BROWSER_COOKIE}=${id}`)
  const { listing, browserId } = first
  expect(listingFor({ cookies: COOKIES }, again, KEY)).toEqual({ listing, browserId })
  const another = listingFor({ cookies: COOKIES }, requestWith(), KEY)
  expect(another.browserId).not.toBe(browserId)
  expect(another.listing.owner).toBe(listing.owner)
  expect(listingFor({ cookies: COOKIES }, again, OTHER_KEY).listing.owner).not.toBe(listing.owner)
  expect(JSON.stringify(first)).not.toContain('"a-key')
  // An OAuth sign-in of the same browser shares no name with it.
  const { owner } = listingFor({ cookies: COOKIES }, again, OAUTH).listing
  expect(owner).not.toContain(browserId)
  expect([id, owner].join()).not.toContain(browserId)
})

test('by OAuth the owner is the browser, by a random id of 128 bits that is not stored (2.1, 4.4)', () => {
  const first = listingFor({ cookies: COOKIES }, requestWith(), OAUTH)
  const id = valueOf(first.browserCookie)
  expect(Buffer.from(id, 'base64url')).toHaveLength(16)
  expect(first.browserCookie).toBe(
    `${BROWSER_COOKIE}=${id}; Path=/; Max-Age=${400 * 86_400}; HttpOnly; SameSite=Strict`,
  )
  expect(first.listing).toEqual({
    owner: expect.stringMatching(/^browser [\w-]{43}$/),
    browser: ANOTHER_BROWSER,
  })
  expect(first.listing.owner).not.toContain(id)
  expect(listingFor({ cookies: COOKIES }, requestWith(`${BROWSER_COOKIE}=${id}`), OAUTH)).toEqual({
    listing: first.listing,
  })
  expect(listingFor({ cookies: COOKIES }, requestWith(), OAUTH).listing.owner).not.toBe(first.listing.owner)
})

test.each(['', 'short', 'x'.repeat(23), `${'x'.repeat(21)}~`])(
  'a cookie %j that is not ours is replaced (RFC 6265 8.6)',
  (planted) => {
    const { browserCookie } = listingFor(
      { cookies: COOKIES },
      requestWith(`${BROWSER_COOKIE}=${planted}`),
      OAUTH,
    )
    expect(valueOf(browserCookie)).toMatch(/^[\w-]{22}$/)
  },
)

/** A store with a number of sessions of one owner, opened a minute apart. */
async function opened(count: number, owner = 'an owner') {
  const made = createContext()
  const sessions = []
  for (let index = 0; index < count; index++) {
    made.clock.ms += 60_000
    const start = { credential: OAUTH, proven: true, listing: { owner, browser: `${index}` } }
    sessions.push(await storeSession(made.context, start))
  }
  const last = sessions.at(-1)?.session
  if (last === undefined) throw new Error('no session')
  return { ...made, sessions, last }
}

test('the list has the newest first, the session itself, and none of another owner (4)', async () => {
  const { context, last } = await opened(3)
  await storeSession(context, { credential: OAUTH, proven: true })
  const listed = await sessionsOfOwner(context, last)
  expect(listed.map(({ browser }) => browser)).toEqual(['2', '1', '0'])
})

test('the reason of an ended session is stored until its regular end, for its own browser (4)', async () => {
  const { context, clock, last, sessions } = await opened(2)
  const named = parseSecret(sessions[1]?.secret ?? '')
  expect(await endOfSession(context, named)).toBeUndefined()
  await endBecause(context, last, 'elsewhere')
  expect(await endOfSession(context, named)).toBe('elsewhere')
  expect(await endOfSession(context, parseSecret(sessions[0]?.secret ?? ''))).toBeUndefined()
  expect(await endOfSession(context, parseSecret(''))).toBeUndefined()
  clock.ms = last.endsAtMs
  await context.store.sweep(clock.ms)
  expect(await endOfSession(context, named)).toBeUndefined()
})

const BROWSER_KEY: Credential = { method: 'api_key', apiKey: 'a-key', name: 'name-of-a-key' }
const ORGANIZATION = 'key name-of-a-key'
const DAY_MS = 86_400_000

type Made = ReturnType<typeof createContext>

const open = async ({ context }: Made, browserId: string, browser = 'Firefox on Linux') => {
  const listing = { owner: ORGANIZATION, browser }
  const start = { credential: BROWSER_KEY, proven: true, browserId, listing }
  return (await storeSession(context, start)).session
}

const namesOf = async ({ context }: Made) => [...(await readBrowserNames(context, ORGANIZATION))]

/** Counts what is written from here on. */
function countWrites({ context }: Made) {
  const written: string[] = []
  onCall(context.store, 'changeNote', (name) => written.push(name))
  onCall(context.store, 'writeSession', (id) => written.push(id))
  return written
}

test('a session that opens brings its coarse name, and the next one of its browser writes nothing (8.3)', async () => {
  const given = createContext()
  const first = await open(given, 'one')
  expect(await keepBrowserName(given.context, first)).toBe(first)
  expect(await namesOf(given)).toEqual([['key name-of-a-key/one', 'Firefox on Linux']])
  const second = await open(given, 'one')
  const written = countWrites(given)
  expect(await keepBrowserName(given.context, second)).toBe(second)
  expect(written).toEqual([])
})

test('of more than 200 names the one that was written longest ago goes, and returns at its next use', async () => {
  const given = createContext()
  const sessions: LoadedSession[] = []
  for (let nth = 0; nth < MOST_NAMES; nth += 1) {
    const session = await open(given, `b${nth}`)
    sessions.push(await keepBrowserName(given.context, session))
  }
  for (const name of ['Aya', 'Aya, office']) await changeBrowserName(given.context, sessions[0]!, name)
  await keepBrowserName(given.context, await open(given, 'another'))
  const names = new Map(await namesOf(given))
  expect(names.size).toBe(MOST_NAMES)
  expect([0, 1, 2].map((nth) => names.has(senderOf(sessions[nth]!)))).toEqual([true, false, true])
  await keepBrowserName(given.context, sessions[1]!)
  expect((await namesOf(given)).at(-1)).toEqual(['key name-of-a-key/b1', 'Firefox on Linux'])
})

test('names last as long as the cookies of the browsers, and each write prolongs them (RFC 6265 5.3)', async () => {
  const given = createContext()
  await keepBrowserName(given.context, await open(given, 'one'))
  given.clock.ms += 300 * DAY_MS
  await keepBrowserName(given.context, await open(given, 'two'))
  given.clock.ms += 400 * DAY_MS - 1
  await given.context.store.sweep(given.clock.ms)
  expect(await namesOf(given)).toHaveLength(2)
  given.clock.ms += 1
  await given.context.store.sweep(given.clock.ms)
  expect(await namesOf(given)).toEqual([])
})

test('a store that fails at a name fails no sign-in, but a rename is not reported as done', async () => {
  const given = createContext()
  const session = await open(given, 'one')
  failIn(given.context.store, 'changeNote', new Problem('store_unavailable'))
  expect(await keepBrowserName(given.context, session)).toBe(session)
  const renamed = changeBrowserName(given.context, session, 'Aya')
  await expect(renamed).rejects.toMatchObject({ code: 'store_unavailable' })
  failIn(given.context.store, 'changeNote', new Error('a defect'))
  await expect(keepBrowserName(given.context, session)).rejects.toThrow('a defect')
})

test('an earlier session without a name of a browser is listed as another browser (4)', async () => {
  const given = createContext()
  await keepBrowserName(given.context, await open(given, 'one', ''))
  expect(await namesOf(given)).toEqual([['key name-of-a-key/one', 'Another browser']])
})
