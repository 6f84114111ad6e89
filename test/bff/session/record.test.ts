import { expect, test } from 'vitest'
import { encrypt, fingerprint, KEY_BYTES } from '../../../src/bff/core/encryption.ts'
import type { Context } from '../../../src/bff/core/context.ts'
import { type Credential, readCopy, writeCopy } from '../../../src/bff/session/grant.ts'
import {
  changeSession,
  endSession,
  limitOwner,
  type LoadedSession,
  nameSecret,
  personIn,
  personOf,
  publicIdOf,
  reloadSession,
  senderOf,
  storeSession,
  FORMAT,
} from '../../../src/bff/session/record.ts'
import { findSession, lookUpSession } from '../../../src/bff/session/browser.ts'
import { openStored } from '../../kit/stored-session.ts'
import { requireSession } from '../../../src/bff/session/use.ts'
import { getSession } from '../../../src/bff/sign-in/session.ts'
import type { StoredSession } from '../../../src/store/store.ts'
import { startApp, STANDARD } from '../../kit/app.ts'
import { throughAnother } from '../../kit/processes.ts'
import { createContext, START_MS } from '../_context.ts'
import { onCall } from '../../kit/store-methods.ts'
import { signedIn } from '../_signed-in.ts'

const DAY_MS = 86_400_000
const PATH = `/organizations/${STANDARD}`

test('a press a day and nothing else is use: after forty days the session is open (ASVS 7.3.1)', async () => {
  const { fixture, browser } = await signedIn()
  for (let day = 0; day < 40; day += 1) {
    fixture.advance(DAY_MS)
    expect((await browser.spend(PATH)).status).not.toBe(401)
  }
  expect((await browser.session()).body.signed_in).toBe(true)
})

test('use is stored once an hour, however many requests there are (ASVS 7.3.1)', async () => {
  const { fixture, browser } = await signedIn()
  let writes = 0
  onCall(fixture.store, 'writeSession', () => (writes += 1))
  fixture.advance(3_600_000)
  await browser.quota()
  expect(writes).toBe(0)
  fixture.advance(1)
  for (let request = 0; request < 5; request += 1) await browser.quota()
  await fixture.bff.drain()
  expect(writes).toBe(1)
  expect((await browser.session()).body).toMatchObject({ ends_in: 30 * 86_400 })
})

test('the database contains no token, key or copy in clear text (5.4)', async () => {
  const fixture = startApp()
  const written: Uint8Array[] = []
  onCall(fixture.store, 'writeSession', (id, session) => written.push(session.encrypted, Buffer.from(id)))
  const browser = fixture.browser()
  await browser.signIn()
  const all = Buffer.concat(written).toString('latin1')
  const bearer = fixture.sent[1]?.headers.get('Authorization')?.slice(7) ?? 'none'
  const [name = 'none', key = 'none'] = browser.cookies.get('plimsoll-http-3000')?.split('.') ?? []
  for (const secret of [bearer, key, name, 'organization']) expect(all).not.toContain(secret)
})

const TOKENS = { accessToken: 'old', refreshToken: 'r', staleAtMs: START_MS + 1, expiresAtMs: START_MS + 2 }
const OAUTH = { method: 'oauth', organizationId: '1001', tokens: TOKENS } as const
const KEY = { method: 'api_key', apiKey: 'a-key', name: 'name-of-a-key' } as const

/** A context with one session, and the request of the browser that has its cookie. */
async function withSession(credential: Credential = OAUTH) {
  const made = createContext()
  const { session, setCookie, cookie } = await openStored(made.context, {
    credential,
    proven: true,
  })
  const request = new Request('http://localhost:3000/', { headers: { Cookie: cookie } })
  return { ...made, session, setCookie, cookie, request }
}

test.each([OAUTH, KEY])(
  'a session of %j is found again by its cookie, which lives ninety days (4)',
  async (credential) => {
    const { context, log, session, setCookie, request } = await withSession(credential)
    const { id, record } = session
    expect([session.owner, session.browser]).toEqual([id, ''])
    expect(record).toEqual({
      format: FORMAT,
      credential,
      proven: true,
      startedAtMs: START_MS,
      seenAtMs: START_MS,
    })
    expect(await findSession(context, request)).toEqual(session)
    expect(await requireSession(context, request)).toEqual(session)
    expect(await reloadSession(context, session)).toEqual(session)
    expect(log).toEqual([])
    expect(setCookie).toMatch(
      /^plimsoll-http-3000=[\w-]{22}\.[\w-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Strict$/,
    )
  },
)

test('a request without our cookie is of no session, and asks the store nothing (4)', async () => {
  const { context } = createContext()
  context.store.readSession = () => Promise.reject(new Error('the store was asked'))
  const request = new Request('http://localhost:3000/', { headers: { Cookie: 'a=b' } })
  expect(await findSession(context, request)).toBeUndefined()
  await expect(requireSession(context, request)).rejects.toMatchObject({ code: 'signed_out' })
})

test('a session ends at its end and not before, and each change sets it from the last use (ASVS 7.3.1, 7.3.2)', async () => {
  const { context, clock, session, request } = await withSession()
  expect(session.endsAtMs).toBe(START_MS + 30 * DAY_MS)
  clock.ms += 30 * DAY_MS - 1
  expect(await findSession(context, request)).toEqual(session)
  clock.ms += 1
  expect(await findSession(context, request)).toBeUndefined()
  const seenAtMs = START_MS + 89 * DAY_MS
  const { endsAtMs } = await changeSession(context, session, (record) => ({ ...record, seenAtMs }))
  expect(endsAtMs).toBe(START_MS + 90 * DAY_MS)
})

test('ledger and page know a session by fingerprints, of which none is another (5.4, 8.2)', () => {
  const token = fingerprint('old').slice(0, 22)
  const ownerOf = (credential: Credential) => limitOwner({ id: 'a', record: { credential, proven: true } })
  expect(ownerOf(OAUTH)).toEqual({ token, organization: '1001', session: 'a' })
  expect(ownerOf(KEY)).toEqual({ token: 'name-of-a-key', organization: 'key name-of-a-key', session: 'a' })
  const ids = ['a', 'b'].flatMap((id) => [publicIdOf({ id }), fingerprint(id).slice(0, 16)])
  expect([new Set(ids).size, ids.map(({ length }) => length)]).toEqual([4, [16, 16, 16, 16]])
})

test('a session that is not proven ends after ten minutes, and is a whole one once it is (5.3)', async () => {
  const { context, clock } = createContext()
  const start = { credential: OAUTH, proven: false }
  const [left, proven] = [await storeSession(context, start), await storeSession(context, start)]
  clock.ms += 599_999
  await changeSession(context, proven.session, (record) => ({ ...record, proven: true }))
  expect(await reloadSession(context, left.session)).toBeDefined()
  clock.ms += 1
  expect(await reloadSession(context, left.session)).toBeUndefined()
  expect((await reloadSession(context, proven.session))?.endsAtMs).toBe(START_MS + 30 * 86_400_000)
})

/** Writes what another version of this program could have written. */
async function rewrite(context: Context, { id, key }: LoadedSession, record: object | null): Promise<void> {
  const { version, ...stored } = (await context.store.readSession(id)) as StoredSession
  await context.store.writeSession(id, { ...stored, encrypted: encrypt(record, key, id) }, version)
}

test('a name of the browser that another writer has stored stays in a change that began before it (4)', async () => {
  const { context, session } = await withSession()
  const named = await changeSession(context, session, (record) => record, { browser: 'Aya, office' })
  expect(named).toMatchObject({ browser: 'Aya, office', version: 2 })
  const seen = await changeSession(context, session, (record) => ({ ...record, seenAtMs: START_MS + 1 }))
  expect(seen).toMatchObject({ browser: 'Aya, office', record: { seenAtMs: START_MS + 1 } })
  expect((await context.store.readSession(session.id))?.browser).toBe('Aya, office')
})

test('a record of another version counts as signed out, and it and its cookie stay (4, attack 33)', async () => {
  const { context, session, request } = await withSession()
  await rewrite(context, session, { ...session.record, format: FORMAT + 1, more: true })
  const before = await context.store.readSession(session.id)
  expect(await lookUpSession(context, request)).toBe('closed')
  await expect(requireSession(context, request)).rejects.toMatchObject({ code: 'signed_out' })
  await expect(changeSession(context, session, (record) => record)).rejects.toMatchObject({
    code: 'signed_out',
  })
  const { headers } = context
  expect(await (await getSession(context, request)).json()).toMatchObject({ signed_in: false })
  expect(headers.getSetCookie()).toEqual([])
  expect(await context.store.readSession(session.id)).toEqual(before)
})

test.each<[string, (stored: StoredSession, session: LoadedSession) => Uint8Array]>([
  ['under another key', (_, { record, id }) => encrypt(record, new Uint8Array(KEY_BYTES), id)],
  ['with a byte that differs', ({ encrypted }) => encrypted.map((byte, at) => (at === 40 ? byte ^ 1 : byte))],
])('a record %s is no session (attack 33)', async (_, damage) => {
  const { context, session, request } = await withSession()
  const { version, ...stored } = (await context.store.readSession(session.id)) as StoredSession
  const encrypted = damage({ version, ...stored }, session)
  expect(await context.store.writeSession(session.id, { ...stored, encrypted }, version)).toBe(true)
  expect(await lookUpSession(context, request)).toBe('ended')
})

test('at another service a session is none, and its token is not sent there (5.4)', async () => {
  const { fixture, browser } = await signedIn()
  const elsewhere = startApp({ store: fixture.store, serviceUrl: 'https://another.example' })
  const there = throughAnother(browser, elsewhere)
  for (const path of [PATH, '/rate_limit']) expect((await there.spend(path)).status).toBe(401)
  expect((await there.session()).body).toMatchObject({ signed_in: false })
  expect(elsewhere.sent).toEqual([])
})

test('a session has a name of 128 random bits and a key of 256, both unstored (ASVS 7.2.3)', () => {
  const names = Array.from({ length: 1000 }, () => nameSecret())
  for (const { secret, id, key } of names) {
    const [name = ''] = secret.split('.')
    expect([Buffer.from(name, 'base64url').length, key.length]).toEqual([16, KEY_BYTES])
    expect(id).not.toContain(name)
  }
  expect(new Set(names.map(({ secret }) => secret)).size).toBe(1000)
  expect(KEY_BYTES).toBe(32)
})

test.each([
  ['browser abc', {}, 'browser abc', 'browser abc'],
  ['key a_b-c', { browserId: 'x-1' }, 'key a_b-c', 'key a_b-c/x-1'],
  ['browser def', { browserId: 'x-1', person: 'browser abc' }, 'browser abc', 'browser abc/x-1'],
])('the person of a session of %s with %o is found in its sender (8.3)', (owner, record, person, sender) => {
  expect(personOf({ owner, record })).toBe(person)
  expect(senderOf({ owner, record })).toBe(sender)
  expect(personIn(sender)).toBe(person)
  expect(personIn(undefined)).toBeUndefined()
})

const READ = '/organizations'

async function withSessions() {
  const { context } = createContext()
  const open = async () => (await storeSession(context, { credential: KEY, proven: true })).session
  return { context, one: await open(), other: await open() }
}

test('a copy is sealed: the store has no word of it, and it opens for its grant and path alone (4)', async () => {
  const { context, one, other } = await withSessions()
  await writeCopy(context, one, READ, '{"name":"canary"}')
  expect(await readCopy(context, one, READ)).toEqual({ text: '{"name":"canary"}', atMs: START_MS })
  const stored = await context.store.readCopy(one.grant.id, READ)
  if (stored === undefined) throw new Error('there is no copy')
  expect(Buffer.from(stored.encrypted).toString('latin1')).not.toContain('canary')
  await context.store.writeCopy(other.grant.id, stored)
  await context.store.writeCopy(one.grant.id, { ...stored, path: '/rate_limit' })
  expect(await readCopy(context, other, READ)).toBeUndefined()
  expect(await readCopy(context, one, '/rate_limit')).toBeUndefined()
})

test('the sessions of a grant share its copies, which are gone with the last of them (4)', async () => {
  const { context, one } = await withSessions()
  const start = { credential: KEY, proven: true, grant: one.grant }
  const { session: paired } = await storeSession(context, start)
  await writeCopy(context, one, READ, '[]')
  await endSession(context, one)
  expect(await readCopy(context, paired, READ)).toEqual({ text: '[]', atMs: START_MS })
  await endSession(context, paired)
  expect(await context.store.readCopy(one.grant.id, READ)).toBeUndefined()
})
