import { expect, test } from 'vitest'
import type { Context } from '../../src/bff/context.ts'
import { decrypt, encrypt, fingerprint } from '../../src/bff/encryption.ts'
import {
  changeSession,
  endSession,
  type LoadedSession,
  reloadSession,
  storeSession,
} from '../../src/bff/session-record.ts'
import { type Browser, createFixture, STANDARD, type Fixture } from '../_fixture.ts'
import { createContext, START_MS } from './_context.ts'

interface Json {
  [name: string]: unknown
  credential: { [name: string]: unknown; tokens?: object }
}
const without = (record: Json, name: string) =>
  Object.fromEntries(Object.entries(record).filter(([member]) => member !== name))
const withTokens = (record: Json, tokens: object) => ({
  ...record,
  credential: { ...record.credential, tokens: { ...record.credential.tokens, ...tokens } },
})

const DAY_MS = 86_400_000
const PATH = `/organizations/${STANDARD}`

async function signedIn() {
  const fixture = createFixture()
  const browser = fixture.browser()
  await browser.signIn()
  return { fixture, browser }
}

test('a session and its copy outlive a restart (4)', async () => {
  const { fixture, browser } = await signedIn()
  const restarted = fixture.another()
  const same = restarted.browser()
  for (const [name, value] of browser.cookies) same.cookies.set(name, value)
  expect((await same.session()).body.signed_in).toBe(true)
  expect((await same.read(PATH)).status).toBe(200)
  expect(restarted.sent).toEqual([])
})

test('a session that is not used for seven days has ended, one that is used has not (ASVS 7.3.1)', async () => {
  const { fixture, browser } = await signedIn()
  for (let day = 0; day < 10; day += 1) {
    fixture.advance(DAY_MS)
    expect((await browser.session()).body.signed_in).toBe(true)
  }
  fixture.advance(7 * DAY_MS)
  expect((await browser.session()).body.signed_in).toBe(false)
})

test('however often it is used, a session ends after thirty days, and its answer has the time left (ASVS 7.3.2)', async () => {
  const { fixture, browser } = await signedIn()
  for (let day = 0; day < 29; day += 1) {
    fixture.advance(DAY_MS)
    await browser.session()
  }
  expect((await browser.session()).body).toMatchObject({ ends_in: DAY_MS / 1000 })
  fixture.advance(DAY_MS)
  expect((await browser.session()).body.signed_in).toBe(false)
})

test('the database contains no token, key or copy in clear text (5.4)', async () => {
  const fixture = createFixture()
  const written: Uint8Array[] = []
  const { writeSession } = fixture.store
  fixture.store.writeSession = (id, session, seen) => {
    written.push(session.encrypted, Buffer.from(id))
    return writeSession(id, session, seen)
  }
  const browser = fixture.browser()
  await browser.signIn()
  const all = Buffer.concat(written).toString('latin1')
  const bearer = fixture.sent[1]?.headers.get('Authorization')?.slice(7) ?? 'none'
  const [name = 'none', key = 'none'] = browser.cookies.get('__Host-plimsoll')?.split('.') ?? []
  for (const secret of [bearer, key, name, 'organization']) expect(all).not.toContain(secret)
})

test('a record that cannot be decrypted is no session (4)', async () => {
  const { fixture, browser } = await signedIn()
  const { readSession } = fixture.store
  fixture.store.readSession = async (id) => {
    const stored = await readSession(id)
    return (
      stored && { ...stored, encrypted: stored.encrypted.map((byte, at) => (at === 20 ? byte ^ 1 : byte)) }
    )
  }
  expect((await browser.session()).body.signed_in).toBe(false)
})

test('concurrent changes are both stored (4)', async () => {
  const { browser } = await signedIn()
  await Promise.all([browser.spend(PATH), browser.spend('/organizations'), browser.spend('/rate_limit')])
  for (const path of [PATH, '/organizations', '/rate_limit'])
    expect((await browser.read(path)).status).toBe(200)
})

test('a session that ends during a read is not stored again (4)', async () => {
  const { fixture, browser } = await signedIn()
  const cookies = new Map(browser.cookies)
  fixture.intercept(async (request, through) => {
    const leaver = fixture.browser()
    for (const [name, value] of cookies) leaver.cookies.set(name, value)
    await leaver.signOut()
    return through(request)
  })
  const { status, body } = await browser.spend(PATH)
  expect([status, body.code]).toEqual([401, 'signed_out'])
  expect((await browser.session()).body.signed_in).toBe(false)
})

/** Replaces the stored record of the browser's session by a changed one, under the same key. */
async function rewrite(fixture: Fixture, browser: Browser, change: (record: Json) => unknown): Promise<void> {
  const [name = '', keyText = ''] = browser.cookies.get('__Host-plimsoll')?.split('.') ?? []
  const [id, key] = [fingerprint(name), Buffer.from(keyText, 'base64url')]
  const stored = await fixture.store.readSession(id)
  if (stored === undefined) throw new Error('there is no session')
  const changed = change(decrypt(stored.encrypted, key, id) as Json)
  const { endsAtMs, version } = stored
  await fixture.store.writeSession(id, { encrypted: encrypt(changed, key, id), endsAtMs }, version)
}

test('a record that is written again unchanged is a session (4)', async () => {
  const { fixture, browser } = await signedIn()
  await rewrite(fixture, browser, (record) => record)
  expect((await browser.session()).body.signed_in).toBe(true)
})

const layouts: [string, (record: Json) => unknown][] = [
  ['of a later format', (record) => ({ ...record, format: 2 })],
  ['without a format', (record) => without(record, 'format')],
  ['that is null', () => null],
  ['without a credential', (record) => without(record, 'credential')],
  ['with another method', (record) => ({ ...record, credential: { method: 'password', password: 'p' } })],
  ['with tokens that are no text', (record) => withTokens(record, { accessToken: 7 })],
  ['with tokens that never expire', (record) => withTokens(record, { expiresAtMs: null })],
  ['with a refresh token that is no text', (record) => withTokens(record, { refreshToken: null })],
  [
    'with an organization that is none',
    (record) => ({ ...record, credential: { ...record.credential, organizationId: '0' } }),
  ],
  ['with a key that is no text', (record) => ({ ...record, credential: { method: 'api_key', apiKey: 7 } })],
  ['that does not say whether it is proven', (record) => without(record, 'proven')],
  ['with a start that is no number', (record) => ({ ...record, startedAtMs: '0' })],
  ['with a copy that is no copy', (record) => ({ ...record, copies: { [PATH]: '{}' } })],
  ['with a member that does not belong', (record) => ({ ...record, admin: true })],
]
test.each(layouts)('a record %s is no session (4)', async (_, change) => {
  const { fixture, browser } = await signedIn()
  await rewrite(fixture, browser, change)
  expect((await browser.session()).body.signed_in).toBe(false)
})

test.each([
  ['its tokens are saved', changeSession],
  ['it has ended', (context: Context, session: LoadedSession) => endSession(context, session)],
] as const)('after %s a session has no unsaved tokens in memory (5.4)', async (_, work) => {
  const { context } = createContext()
  const tokens = { accessToken: 'new', staleAtMs: START_MS + 1, expiresAtMs: START_MS + 2 }
  const credential = {
    method: 'oauth',
    organizationId: '1',
    tokens: { ...tokens, accessToken: 'old' },
  } as const
  const { session } = await storeSession(context, { credential, proven: true, copies: {} })
  context.memory.unsavedTokens.set(session.id, { replaces: 'old', tokens })
  await work(context, session, (record) => record)
  expect(context.memory.unsavedTokens.size).toBe(0)
})

test('tokens that are issued during a write are not lost with it (5.4)', async () => {
  const { context } = createContext()
  const tokens = { accessToken: 'new', staleAtMs: START_MS + 1, expiresAtMs: START_MS + 2 }
  const credential = {
    method: 'oauth',
    organizationId: '1',
    tokens: { ...tokens, accessToken: 'old' },
  } as const
  const { session } = await storeSession(context, { credential, proven: true, copies: {} })
  await changeSession(context, session, (record) => {
    context.memory.unsavedTokens.set(session.id, { replaces: 'old', tokens })
    return record
  })
  expect((await reloadSession(context, session))?.record.credential).toMatchObject({ tokens })
})
