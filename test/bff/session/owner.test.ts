import { expect, test } from 'vitest'
import { ANOTHER_BROWSER } from '../../../src/contract/coarse-name.ts'
import {
  endBecause,
  endOfSession,
  endOldest,
  listingFor,
  sessionsOfOwner,
} from '../../../src/bff/session/owner.ts'
import { type Credential, storeSession } from '../../../src/bff/session/record.ts'
import { requireSession } from '../../../src/bff/session/use.ts'
import { parseSessionCookie } from '../../../src/bff/session/cookie.ts'
import { parseOrganizationId } from '../../../src/contract/organization.ts'
import { APP, BROWSER_COOKIE, COOKIES } from '../../kit/config.ts'
import { createContext, START_MS } from '../_context.ts'

const KEY = { method: 'api_key', apiKey: 'a-key', name: 'name of a-key' } as Credential
const OTHER_KEY = { method: 'api_key', apiKey: 'another-key', name: 'name of another-key' } as Credential
const OAUTH: Credential = {
  method: 'oauth',
  organizationId: parseOrganizationId('1001'),
  tokens: { accessToken: 'at', staleAtMs: START_MS, expiresAtMs: START_MS },
}
const requestWith = (cookie = '') => new Request(`${APP}/`, { headers: { Cookie: cookie } })
const valueOf = (setCookie = '') => /=([^;]*);/.exec(setCookie)?.[1] ?? ''

test('the sessions of one API key have one owner, whatever the browser is (5.1)', () => {
  const found = listingFor({ cookies: COOKIES }, requestWith(), KEY)
  expect(
    listingFor({ cookies: COOKIES }, requestWith(`${BROWSER_COOKIE}=${'x'.repeat(22)}`), KEY).listing.owner,
  ).toBe(found.listing.owner)
  expect(listingFor({ cookies: COOKIES }, requestWith(), OTHER_KEY).listing.owner).not.toBe(
    found.listing.owner,
  )
  expect(JSON.stringify(found)).not.toContain('"a-key')
})

test('two browsers with one API key have two ids, by a random id of 128 bits that is not stored (5.1)', () => {
  const first = listingFor({ cookies: COOKIES }, requestWith(), KEY)
  const id = valueOf(first.nameBrowser)
  expect(Buffer.from(id, 'base64url')).toHaveLength(16)
  expect(first.browserId).toMatch(/^[\w-]{22}$/)
  const again = requestWith(`${BROWSER_COOKIE}=${id}`)
  const { listing, browserId } = first
  expect(listingFor({ cookies: COOKIES }, again, KEY)).toEqual({ listing, browserId })
  expect(listingFor({ cookies: COOKIES }, requestWith(), KEY).browserId).not.toBe(browserId)
  // An OAuth sign-in of the same browser shares no name with it.
  const { owner } = listingFor({ cookies: COOKIES }, again, OAUTH).listing
  expect(owner).not.toContain(browserId)
  expect([id, owner].join()).not.toContain(browserId)
})

test('by OAuth the owner is the browser, by a random id of 128 bits that is not stored (2.1, 4.4)', () => {
  const first = listingFor({ cookies: COOKIES }, requestWith(), OAUTH)
  const id = valueOf(first.nameBrowser)
  expect(Buffer.from(id, 'base64url')).toHaveLength(16)
  expect(first.nameBrowser).toBe(
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
    const { nameBrowser } = listingFor(
      { cookies: COOKIES },
      requestWith(`${BROWSER_COOKIE}=${planted}`),
      OAUTH,
    )
    expect(valueOf(nameBrowser)).toMatch(/^[\w-]{22}$/)
  },
)

/** A store with a number of sessions of one owner, opened a minute apart. */
async function opened(count: number, owner = 'an owner') {
  const made = createContext()
  const sessions = []
  for (let index = 0; index < count; index++) {
    made.clock.ms += 60_000
    const start = { credential: OAUTH, proven: true, copies: {}, listing: { owner, browser: `${index}` } }
    sessions.push(await storeSession(made.context, start))
  }
  const last = sessions.at(-1)?.session
  if (last === undefined) throw new Error('no session')
  return { ...made, sessions, last }
}

test('the list has the newest first, the session itself, and none of another owner (4)', async () => {
  const { context, last } = await opened(3)
  await storeSession(context, { credential: OAUTH, proven: true, copies: {} })
  const listed = await sessionsOfOwner(context, last)
  expect(listed.map(({ browser }) => browser)).toEqual(['2', '1', '0'])
})

test('a session of a database without owners lists itself alone (4)', async () => {
  const { context, last, sessions } = await opened(1, '')
  await storeSession(context, {
    credential: OAUTH,
    proven: true,
    copies: {},
    listing: { owner: '', browser: '' },
  })
  const found = await requireSession(context, requestWith(sessions[0]?.setCookie.split(';')[0]))
  expect((await sessionsOfOwner(context, found)).map(({ id }) => id)).toEqual([last.id])
})

test('the twenty-first session ends the oldest, and no other (ASVS 7.1.2, attack 36)', async () => {
  const { context, last, sessions } = await opened(20)
  await endOldest(context, last)
  expect(await sessionsOfOwner(context, last)).toHaveLength(20)
  const start = { credential: OAUTH, proven: true, copies: {}, listing: { owner: 'an owner', browser: '20' } }
  await endOldest(context, (await storeSession(context, start)).session)
  const browsers = (await sessionsOfOwner(context, last)).map(({ browser }) => browser)
  expect(browsers).toHaveLength(20)
  expect(browsers).not.toContain('0')
  const oldest = sessions[0]?.session ?? last
  expect(await endOfSession(context, oldest)).toBe('too_many')
})

test('the reason of an ended session is stored until its regular end, for its own cookie (4)', async () => {
  const { context, clock, last, sessions } = await opened(2)
  const named = parseSessionCookie(valueOf(sessions[1]?.setCookie))
  expect(await endOfSession(context, named)).toBeUndefined()
  await endBecause(context, last, 'elsewhere')
  expect(await endOfSession(context, named)).toBe('elsewhere')
  expect(await endOfSession(context, parseSessionCookie(valueOf(sessions[0]?.setCookie)))).toBeUndefined()
  expect(await endOfSession(context, parseSessionCookie(''))).toBeUndefined()
  clock.ms = last.endsAtMs
  await context.store.sweep(clock.ms)
  expect(await endOfSession(context, named)).toBeUndefined()
})

test.each(['too_many', { format: 2, value: 'too_many' }, { format: 1, value: 'another reason' }])(
  'a note %j of another format, or damaged, gives no reason and breaks nothing (4)',
  async (stored) => {
    const { context, last } = await opened(1)
    await context.store.changeNote(`ended ${last.id}`, () => stored, last.endsAtMs)
    expect(await endOfSession(context, last)).toBeUndefined()
  },
)
