import { expect, test } from 'vitest'
import type { ProblemBody } from '../../../src/contract/problem.ts'
import { startApp, STANDARD, type App } from '../../kit/app.ts'
import { SESSION_COOKIE } from '../../kit/config.ts'
import { type Person, randomState } from '../../kit/person.ts'
import { onCall } from '../../kit/store-methods.ts'
import { withBrowser } from '../_signed-in.ts'
import { throughAnother, twoProcesses } from '../../kit/processes.ts'
import { rotateSecret } from '../../../src/bff/core/server-key.ts'

async function signInInProgress(): Promise<{ fixture: App; browser: Person; back: URL }> {
  const { fixture, browser } = withBrowser()
  return { fixture, browser, back: await browser.permit(await browser.startLogin(STANDARD), 'Ada') }
}

const bodies: [string, object][] = [
  ['no organization', { organization_id: undefined }],
  ['a negative id', { organization_id: -1 }],
  ['an injection', { organization_id: '7;x' }],
  ['thirty digits', { organization_id: '1'.repeat(30) }],
  ['no state', { state: undefined }],
  ['a state with a line break', { state: `${randomState()}\r\nSet-Cookie: x` }],
  ['a state of 10 kB', { state: 'x'.repeat(10_000) }],
  ['a place at another site', { return_to: 'https://x/' }],
  ['a place that is too long', { return_to: `/${'a'.repeat(512)}` }],
]
test.each(bodies)('%s is refused before anything is stored (5.3, attack 25)', async (_, wrong) => {
  const browser = startApp().browser()
  const json = { state: randomState(), organization_id: STANDARD, ...wrong }
  const { status, body } = await browser.request('POST', '/bff/login', { json })
  expect(status).toBe(400)
  expect(['invalid_request', 'invalid_organization_id']).toContain(body.code)
  expect(browser.cookies.size).toBe(0)
})

test('a state that this browser did not start sends nothing (RFC 6749 10.12, attack 4)', async () => {
  const { fixture, browser, back } = await signInInProgress()
  const code = back.searchParams.get('code')
  const attempts: [Person, unknown][] = [
    [browser, { code }],
    [browser, { code, state: randomState() }],
    [browser, { code, state: `${back.searchParams.get('state')}x` }],
    [fixture.browser(), { code, state: back.searchParams.get('state') }],
  ]
  for (const [who, json] of attempts) {
    const { status, body } = await who.request('POST', '/bff/session', { json })
    expect([status, body.code]).toEqual([400, 'state_mismatch'])
  }
  expect(fixture.sent).toEqual([])
  expect((await browser.finishLogin(back)).status).toBe(201)
})

test('a sign-in that took ten minutes has expired (4.1)', async () => {
  const { fixture, browser, back } = await signInInProgress()
  fixture.advance(600_000)
  const { status, body } = await browser.finishLogin(back)
  expect([status, (body as unknown as { code: string }).code]).toEqual([400, 'login_expired'])
  expect(fixture.sent).toEqual([])
})

test('ten callbacks with one state exchange one code (RFC 6749 4.1.2, attack 5)', async () => {
  const { fixture, browser, back } = await signInInProgress()
  const other = fixture.another()
  const twin = throughAnother(browser, other)
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? browser : twin).finishLogin(back)),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    201,
    ...Array.from({ length: 9 }, () => 400),
  ])
  expect([...fixture.tokenRequests(), ...other.tokenRequests()]).toHaveLength(1)
})

test('ten tabs each finish their own sign-in, whatever the order (RFC 6749 10.12, attack 15)', async () => {
  const fixture = startApp()
  const browser = fixture.browser()
  const addresses: URL[] = []
  for (let tab = 0; tab < 10; tab += 1) addresses.push(await browser.startLogin(STANDARD))
  const backs: URL[] = []
  for (const address of addresses) backs.push(await browser.permit(address, 'Ada'))
  for (const back of backs.toReversed()) expect((await browser.finishLogin(back)).status).toBe(201)
})

test('with twenty sign-ins in progress the next one removes the oldest, and no other cookie (RFC 6265 6.1)', async () => {
  const { fixture, browser } = withBrowser()
  browser.cookies.set('plimsoll-http-3000', 'name.key')
  const names: string[] = []
  const backs: URL[] = []
  for (let tab = 0; tab < 21; tab += 1) {
    fixture.advance(1000)
    const before = new Set(browser.cookies.keys())
    const address = await browser.startLogin(STANDARD)
    names.push([...browser.cookies.keys()].find((name) => !before.has(name)) ?? '')
    if (tab < 2) backs.push(await browser.permit(address, 'Ada'))
  }
  expect([...browser.cookies.keys()].toSorted()).toEqual(['plimsoll-http-3000', ...names.slice(1)].toSorted())
  const [oldest, second] = backs as [URL, URL]
  expect((await browser.finishLogin(oldest)).status).toBe(400)
  expect((await browser.finishLogin(second)).status).toBe(201)
})

const KEPT = { return_to: `/ledger?${'q'.repeat(503)}`, code_verifier: 'v'.repeat(128) }
const startKept = async (browser: Person, state = randomState()) => {
  const json = { state, organization_id: STANDARD, ...KEPT }
  expect((await browser.request('POST', '/bff/login', { json })).status).toBe(204)
  return state
}
const askStarted = (browser: Person, state: string) =>
  browser.request('POST', '/bff/login/started', { json: { state } })

test('place and verifier are kept encrypted in the cookie, for the state alone (RFC 6749 10.12)', async () => {
  const { fixture, browser } = withBrowser()
  const [state, other] = [await startKept(browser), await startKept(browser)]
  const { return_to } = KEPT
  // The bff sends the verifier itself.
  expect((await askStarted(browser, state)).body).toEqual({ organization_id: STANDARD, return_to })
  for (const secret of [/ledger|v{9}|q{9}/, state, other])
    expect([...browser.cookies].flat().join()).not.toMatch(secret)
  for (const [who, asked] of [
    [fixture.browser(), other],
    [browser, randomState()],
  ] as const)
    expect((await askStarted(who, asked)).body).toMatchObject({ code: 'state_mismatch' })
  // Another one returns to the start page.
  const started = (await browser.startLogin(STANDARD)).searchParams.get('state') ?? ''
  expect((await askStarted(browser, started)).body).toEqual({ organization_id: STANDARD, return_to: '/' })
  // It took too long, and leads back all the same.
  fixture.advance(600_000)
  expect((await askStarted(browser, other)).body).toEqual({ organization_id: STANDARD, return_to })
  expect(fixture.sent).toEqual([])
})

test('200 unfinished sign-ins with long addresses keep the Cookie header small (RFC 6265 6.1, attack 16)', async () => {
  const { fixture, browser } = withBrowser()
  let state = ''
  for (let abandoned = 0; abandoned < 200; abandoned += 1) {
    fixture.advance(10)
    state = await startKept(browser)
  }
  expect([...browser.cookies].map((pair) => pair.join('=')).join('; ').length).toBeLessThan(4500)
  expect((await askStarted(browser, state)).body).toMatchObject({ return_to: KEPT.return_to })
})

/** The contents of the store: counters, notes and requests, as the calls that wrote them. */
function recordWrites({ store }: App): string[] {
  const calls: string[] = []
  for (const name of ['addToCounter', 'changeNote', 'addEntry', 'writeSession', 'attribute'] as const)
    onCall(store, name, () => calls.push(name))
  return calls
}

const forgeries: [string, (value: string, other: string) => string][] = [
  ['of another state', (_, other) => other],
  ['without its end', (value) => value.slice(0, -4)],
  ['with more at its end', (value) => `${value}AAAA`],
  ['with another nonce', (value, other) => other.slice(0, 16) + value.slice(16)],
  ['with another end', (value, other) => value.slice(0, -24) + other.slice(-24)],
  ['that is no base64url', (value) => `${value}.`],
  ['that is empty', () => ''],
]
test.each(forgeries)(
  'a login cookie %s is no sign-in of this browser: nothing is sent or written (RFC 9700 4.7.1)',
  async (_, forge) => {
    const { fixture, browser, back } = await signInInProgress()
    const [[name = '', value = ''] = []] = browser.cookies
    await browser.startLogin(STANDARD)
    const other = [...browser.cookies.values()].at(-1) ?? ''
    const calls = recordWrites(fixture)
    browser.cookies.set(name, forge(value, other))
    for (let post = 0; post < 100; post += 1) {
      const { status, body } = await browser.finishLogin(back)
      expect([status, (body as unknown as ProblemBody).code]).toEqual([400, 'state_mismatch'])
    }
    expect([fixture.sent, calls]).toEqual([[], []])
    browser.cookies.set(name, value)
    expect((await browser.finishLogin(back)).status).toBe(201)
  },
)

test('a login cookie with any one bit flipped is no sign-in of this browser (RFC 9700 4.7.1, attack 7)', async () => {
  const { fixture, browser, back } = await signInInProgress()
  const [[name = '', value = ''] = []] = browser.cookies
  for (let at = 0; at < value.length; at += 1)
    for (let bit = 0; bit < 7; bit += 1) {
      const flipped = String.fromCharCode(value.charCodeAt(at) ^ (1 << bit))
      browser.cookies.set(name, value.slice(0, at) + flipped + value.slice(at + 1))
      if (!/^[\x21-\x3a\x3c-\x7e]$/.test(flipped)) continue
      expect([at, bit, (await browser.finishLogin(back)).status]).toEqual([at, bit, 400])
    }
  expect(fixture.sent).toEqual([])
  browser.cookies.set(name, value)
  expect((await browser.finishLogin(back)).status).toBe(201)
})

test('cookies made by hand go first, and leave the place to the twenty newest sign-ins (RFC 6265 6.1)', async () => {
  const { browser, back } = await signInInProgress()
  const [[, value = ''] = []] = browser.cookies
  const forged = Array.from({ length: 30 }, (_, at) => `plimsoll-http-3000-login-forged-${at}`)
  for (const name of forged) browser.cookies.set(name, value)
  await browser.startLogin(STANDARD)
  expect(browser.cookies.size).toBe(2)
  expect((await browser.finishLogin(back)).status).toBe(201)
})

test('a claim lapses ten minutes after the sign-in was finished at the latest (4.1)', async () => {
  const { fixture, browser, back } = await signInInProgress()
  const lapses: number[] = []
  onCall(fixture.store, 'changeNote', (name, _, lapsesAtMs) => {
    if (name.includes('login-')) lapses.push(lapsesAtMs - fixture.now())
  })
  // The sign-in was started by a process whose clock is an hour ahead.
  fixture.advance(-3_600_000)
  expect((await browser.finishLogin(back)).status).toBe(201)
  expect(lapses).toEqual([600_000])
})

test('a rotation loses no sign-in that any process began, and no session (ASVS 13.3.4, attack 34)', async () => {
  const [first, second] = twoProcesses()
  const begin = async (app: App) => {
    const browser = app.browser()
    return { browser, back: await browser.permit(await browser.startLogin(STANDARD), 'Ada') }
  }
  const member = first.browser()
  await member.signIn()
  const sessionKeys = member.cookies.get(SESSION_COOKIE)
  const begun = [await begin(first), await begin(second)]
  expect(await rotateSecret(second)).toBeGreaterThan(first.now())
  begun.push(await begin(first), await begin(second))
  first.advance(2 * 60_000)
  begun.push(await begin(second), await begin(first))
  for (const [nth, { browser, back }] of begun.entries()) {
    const finishing = throughAnother(browser, nth % 2 === 0 ? second : first)
    expect((await finishing.finishLogin(back)).status).toBe(201)
    expect((await throughAnother(finishing, first).session()).body.signed_in).toBe(true)
  }
  expect((await member.spend(`/organizations/${STANDARD}`)).status).toBe(200)
  expect(sessionKeys).toBeDefined()
  expect(member.cookies.get(SESSION_COOKIE)).toBe(sessionKeys)
})
