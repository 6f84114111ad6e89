import { expect, test } from 'vitest'
import { type Browser, createFixture, randomState, STANDARD, type Fixture } from '../_fixture.ts'

async function signInInProgress(): Promise<{ fixture: Fixture; browser: Browser; back: URL }> {
  const fixture = createFixture()
  const browser = fixture.browser()
  return { fixture, browser, back: await browser.permit(await browser.startLogin(STANDARD), 'Ada') }
}

const bodies: [string, unknown][] = [
  ['no organization', { state: randomState() }],
  ['an empty id', { state: randomState(), organization_id: '' }],
  ['zero', { state: randomState(), organization_id: 0 }],
  ['a negative id', { state: randomState(), organization_id: -1 }],
  ['a typed exponent', { state: randomState(), organization_id: '1e9' }],
  ['a fraction', { state: randomState(), organization_id: 1.5 }],
  ['an injection', { state: randomState(), organization_id: '7;x' }],
  ['a second parameter', { state: randomState(), organization_id: '7&state=x' }],
  ['thirty digits', { state: randomState(), organization_id: '1'.repeat(30) }],
  ['a list', { state: randomState(), organization_id: [7] }],
  ['no state', { organization_id: STANDARD }],
  ['a short state', { state: 'short', organization_id: STANDARD }],
  ['a state with a line break', { state: `${randomState()}\r\nSet-Cookie: x`, organization_id: STANDARD }],
  ['a state of 10 kB', { state: 'x'.repeat(10_000), organization_id: STANDARD }],
  ['an unknown member', { state: randomState(), organization_id: STANDARD, admin: true }],
]
test.each(bodies)('%s is refused before anything is stored (5.3)', async (_, json) => {
  const browser = createFixture().browser()
  const { status, body } = await browser.request('POST', '/bff/login', { json })
  expect(status).toBe(400)
  expect(['invalid_request', 'invalid_organization_id']).toContain(body.code)
  expect(browser.cookies.size).toBe(0)
})

test('a state that this browser did not start sends nothing to the service (RFC 6749 10.12)', async () => {
  const { fixture, browser, back } = await signInInProgress()
  const code = back.searchParams.get('code')
  const attempts: [Browser, unknown][] = [
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

test('of ten callbacks with one state at the same time, in two processes, one code is exchanged (RFC 6749 4.1.2)', async () => {
  const { fixture, browser, back } = await signInInProgress()
  const other = fixture.another()
  const twin = other.browser()
  for (const [name, value] of browser.cookies) twin.cookies.set(name, value)
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? browser : twin).finishLogin(back)),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    201,
    ...Array.from({ length: 9 }, () => 400),
  ])
  expect([...fixture.tokenRequests(), ...other.tokenRequests()]).toHaveLength(1)
})

test('ten tabs each finish their own sign-in, whatever the order (RFC 6749 10.12)', async () => {
  const fixture = createFixture()
  const browser = fixture.browser()
  const addresses: URL[] = []
  for (let tab = 0; tab < 10; tab += 1) addresses.push(await browser.startLogin(STANDARD))
  const backs: URL[] = []
  for (const address of addresses) backs.push(await browser.permit(address, 'Ada'))
  for (const back of backs.toReversed()) expect((await browser.finishLogin(back)).status).toBe(201)
})

test('two hundred unfinished sign-ins leave a small Cookie header, and the newest still works (RFC 6265 6.1)', async () => {
  const fixture = createFixture()
  const browser = fixture.browser()
  for (let abandoned = 0; abandoned < 199; abandoned += 1) {
    fixture.advance(10)
    await browser.startLogin(STANDARD)
  }
  const back = await browser.permit(await browser.startLogin(STANDARD), 'Ada')
  expect([...browser.cookies].map((pair) => pair.join('=')).join('; ').length).toBeLessThan(4096)
  expect((await browser.finishLogin(back)).status).toBe(201)
})

test('the cookie is named after the fingerprint of the state, and does not contain the state (RFC 6749 10.10)', async () => {
  const { browser, back } = await signInInProgress()
  expect([...browser.cookies].flat().join()).not.toContain(back.searchParams.get('state'))
})

test('with twenty sign-ins in progress the next one removes the oldest, and no other cookie (RFC 6265 6.1)', async () => {
  const fixture = createFixture()
  const browser = fixture.browser()
  browser.cookies.set('__Host-plimsoll', 'name.key')
  const names: string[] = []
  const backs: URL[] = []
  for (let tab = 0; tab < 21; tab += 1) {
    fixture.advance(1000)
    const before = new Set(browser.cookies.keys())
    const address = await browser.startLogin(STANDARD)
    names.push([...browser.cookies.keys()].find((name) => !before.has(name)) ?? '')
    if (tab < 2) backs.push(await browser.permit(address, 'Ada'))
  }
  expect([...browser.cookies.keys()].toSorted()).toEqual(['__Host-plimsoll', ...names.slice(1)].toSorted())
  const [oldest, second] = backs as [URL, URL]
  expect((await browser.finishLogin(oldest)).status).toBe(400)
  expect((await browser.finishLogin(second)).status).toBe(201)
})

const NOW_MS = Date.UTC(2026, 10, 21, 6)
const NO_TIMES = ['', 'soon', 'NaN', 'Infinity', '1e300', '-1', '0x7fffffffffff', ' ', '9'.repeat(16)]
test.each(NO_TIMES.concat(`${NOW_MS}x`, `x.${NOW_MS}`, `1001.${NOW_MS}`))(
  'a sign-in whose start is %j has expired (RFC 6265 8.6)',
  async (startedAt) => {
    const { fixture, browser, back } = await signInInProgress()
    for (const [name] of browser.cookies) browser.cookies.set(name, `${STANDARD}.${startedAt}`)
    const { status, body } = await browser.finishLogin(back)
    expect([status, (body as unknown as { code: string }).code]).toEqual([400, 'login_expired'])
    expect(fixture.sent).toEqual([])
  },
)
