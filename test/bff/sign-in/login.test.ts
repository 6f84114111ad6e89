import { expect, test } from 'vitest'
import { rotateSecret } from '../../../src/bff/core/server-key.ts'
import { type App, STANDARD } from '../../kit/app.ts'
import { SESSION_COOKIE } from '../../kit/config.ts'
import { type Person, randomState } from '../../kit/person.ts'
import { throughAnother, twoProcesses } from '../../kit/processes.ts'
import { onCall } from '../../kit/store-methods.ts'
import { told } from '../_answers.ts'
import { withBrowser } from '../_signed-in.ts'

/** A browser whose person has permitted the sign-in at the service. */
async function begun(fixture?: App) {
  const { fixture: app, browser } = fixture ? { fixture, browser: fixture.browser() } : withBrowser()
  return { fixture: app, browser, back: await browser.permit(await browser.startLogin(STANDARD), 'Ada') }
}

test('a refused body stores nothing in the browser (5.3, attack 25)', async () => {
  const { browser } = withBrowser()
  const json = { state: randomState(), organization_id: '7;x' }
  expect(await told(browser.request('POST', '/bff/login', { json }))).toBe('400 invalid_organization_id')
  expect(browser.cookies.size).toBe(0)
})

test('a state that this browser did not start changes nothing (RFC 6749 10.12, attack 1, attack 4)', async () => {
  const { fixture, browser, back } = await begun()
  const { code, state } = Object.fromEntries(back.searchParams)
  const [victim, stranger] = [fixture.browser(), fixture.browser()]
  await victim.signIn()
  const [{ body: before }, cookies, sent] = [
    await victim.session(),
    new Map(victim.cookies),
    [...fixture.sent],
  ]
  const attempts: [Person, unknown][] = [
    [browser, { code }],
    [browser, { code, state: randomState() }],
    [browser, { code, state: `${state}x` }],
    [stranger, { code, state }],
    [victim, { code, state }],
  ]
  for (const [who, json] of attempts)
    expect(await told(who.request('POST', '/bff/session', { json }))).toBe('400 state_mismatch')
  expect([fixture.sent, stranger.cookies.size]).toEqual([sent, 0])
  expect([(await victim.session()).body, victim.cookies]).toEqual([before, cookies])
  expect(await told(browser.finishLogin(back))).toBe('201')
})

test('a sign-in that took ten minutes has expired (4.1)', async () => {
  const { fixture, browser, back } = await begun()
  fixture.advance(600_000)
  expect(await told(browser.finishLogin(back))).toBe('400 login_expired')
  expect(fixture.sent).toEqual([])
})

test('ten callbacks with one state exchange one code (RFC 6749 4.1.2, attack 5)', async () => {
  const { fixture, browser, back } = await begun()
  const other = fixture.another()
  const both = [browser, throughAnother(browser, other)]
  const presses = [...both, ...both, ...both, ...both, ...both]
  const answers = await Promise.all(presses.map((one) => told(one.finishLogin(back))))
  expect(answers.toSorted()).toEqual(['201', ...Array<string>(9).fill('400 state_mismatch')])
  expect([...fixture.tokenRequests(), ...other.tokenRequests()]).toHaveLength(1)
})

test('of 21 sign-ins in progress the oldest goes, and no other cookie (RFC 6265 6.1, attack 15)', async () => {
  const { fixture, browser } = withBrowser()
  browser.cookies.set('plimsoll-http-3000', 'name.key')
  const names: string[] = []
  const backs: URL[] = []
  for (let tab = 0; tab < 21; tab += 1) {
    fixture.advance(1000)
    const before = new Set(browser.cookies.keys())
    const address = await browser.startLogin(STANDARD)
    names.push([...browser.cookies.keys()].find((name) => !before.has(name)) ?? '')
    backs.push(await browser.permit(address, 'Ada'))
  }
  expect([...browser.cookies.keys()].toSorted()).toEqual(['plimsoll-http-3000', ...names.slice(1)].toSorted())
  const answers: string[] = []
  for (const back of backs.toReversed()) answers.push(await told(browser.finishLogin(back)))
  expect(answers).toEqual([...Array<string>(20).fill('201'), '400 state_mismatch'])
})

const KEPT = { return_to: `/ledger?${'q'.repeat(503)}`, code_verifier: 'v'.repeat(128) }
const startKept = async (browser: Person, state = randomState()) => {
  const json = { state, organization_id: STANDARD, ...KEPT }
  expect(await told(browser.request('POST', '/bff/login', { json }))).toBe('204')
  return state
}
const askStarted = async (browser: Person, state: string) =>
  (await browser.request('POST', '/bff/login/started', { json: { state } })).body

test('place and verifier are kept encrypted in the cookie, for the state alone (RFC 6749 10.12)', async () => {
  const { fixture, browser } = withBrowser()
  const [state, other] = [await startKept(browser), await startKept(browser)]
  const { return_to } = KEPT
  // The bff sends the verifier itself.
  expect(await askStarted(browser, state)).toEqual({ organization_id: STANDARD, return_to })
  for (const secret of [/ledger|v{9}|q{9}/, state, other])
    expect([...browser.cookies].flat().join()).not.toMatch(secret)
  for (const [who, asked] of [
    [fixture.browser(), other],
    [browser, randomState()],
  ] as const)
    expect(await askStarted(who, asked)).toMatchObject({ code: 'state_mismatch' })
  // Another one returns to the start page.
  const started = (await browser.startLogin(STANDARD)).searchParams.get('state') ?? ''
  expect(await askStarted(browser, started)).toEqual({ organization_id: STANDARD, return_to: '/' })
  // It took too long, and leads back all the same.
  fixture.advance(600_000)
  expect(await askStarted(browser, other)).toEqual({ organization_id: STANDARD, return_to })
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
  expect(await askStarted(browser, state)).toMatchObject({ return_to: KEPT.return_to })
})

test('a forged login cookie is no sign-in: nothing is sent or written (RFC 9700 4.7.1, attack 7)', async () => {
  const { fixture, browser, back } = await begun()
  const [[name = '', value = ''] = []] = browser.cookies
  await browser.startLogin(STANDARD)
  const other = [...browser.cookies.values()].at(-1) ?? ''
  const bitFlipped = value.split('').map((letter, at) => {
    const flipped = String.fromCharCode(letter.charCodeAt(0) ^ 1)
    return value.slice(0, at) + flipped + value.slice(at + 1)
  })
  const swapped = [other, other.slice(0, 16) + value.slice(16), value.slice(0, -24) + other.slice(-24)]
  const written: string[] = []
  for (const method of ['addToCounter', 'changeNote', 'addEntry', 'writeSession', 'attribute'] as const)
    onCall(fixture.store, method, () => written.push(method))
  for (const forged of [...bitFlipped, ...swapped, value.slice(0, -4), `${value}AAAA`, `${value}.`, '']) {
    browser.cookies.set(name, forged)
    expect([forged, await told(browser.finishLogin(back))]).toEqual([forged, '400 state_mismatch'])
  }
  expect([fixture.sent, written]).toEqual([[], []])
  browser.cookies.set(name, value)
  expect(await told(browser.finishLogin(back))).toBe('201')
})

test('cookies made by hand go first, and leave the place to the twenty newest sign-ins (RFC 6265 6.1)', async () => {
  const { browser, back } = await begun()
  const [[, value = ''] = []] = browser.cookies
  const forged = Array.from({ length: 30 }, (_, at) => `plimsoll-http-3000-login-forged-${at}`)
  for (const name of forged) browser.cookies.set(name, value)
  await browser.startLogin(STANDARD)
  expect(browser.cookies.size).toBe(2)
  expect(await told(browser.finishLogin(back))).toBe('201')
})

test('a claim lapses ten minutes after the sign-in was finished at the latest (4.1)', async () => {
  const { fixture, browser, back } = await begun()
  const lapses: number[] = []
  onCall(fixture.store, 'changeNote', (name, _, lapsesAtMs) => {
    if (name.includes('login-')) lapses.push(lapsesAtMs - fixture.now())
  })
  // The sign-in was started by a process whose clock is an hour ahead.
  fixture.advance(-3_600_000)
  expect(await told(browser.finishLogin(back))).toBe('201')
  expect(lapses).toEqual([600_000])
})

test('a rotation loses no sign-in that any process began, and no session (ASVS 13.3.4, attack 34)', async () => {
  const [first, second] = twoProcesses()
  const member = first.browser()
  await member.signIn()
  const sessionKeys = member.cookies.get(SESSION_COOKIE)
  const all = [await begun(first), await begun(second)]
  expect(await rotateSecret(second)).toBe(true)
  all.push(await begun(first), await begun(second))
  for (const [nth, { browser, back }] of all.entries()) {
    const finishing = throughAnother(browser, nth % 2 === 0 ? second : first)
    expect(await told(finishing.finishLogin(back))).toBe('201')
    expect((await throughAnother(finishing, first).session()).body.signed_in).toBe(true)
  }
  expect(await told(member.spend(`/organizations/${STANDARD}`))).toBe('200')
  expect(sessionKeys).toBeDefined()
  expect(member.cookies.get(SESSION_COOKIE)).toBe(sessionKeys)
})
