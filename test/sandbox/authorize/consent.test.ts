import { expect, test } from 'vitest'
import { CALLBACK, open, seed } from '../../kit/sandbox.ts'

const PERMISSION = '/oauth2/permission'

test('the page names application, organization, plan, person and address (S34, S55, check 46, 4.1)', async () => {
  const { page } = await open().ask({ organization_id: '2002' }, 'cleo')
  for (const text of ['Plimsoll', 'Meridian Shipping', 'business', 'Cleo Marchetti', CALLBACK])
    expect(page).toContain(text)
})

test('Permit redirects with a code, the state and nothing else (S35, S36, check 7, check 34, 4.1)', async () => {
  const { ask, post } = open()
  const { csrfToken, cookie } = await ask()
  const answer = await post(PERMISSION, { csrf_token: csrfToken, answer: 'permit' }, cookie)
  expect(answer.status).toBe(302)
  const back = new URL(answer.headers.get('Location') ?? '')
  expect(back.href.startsWith(`${CALLBACK}?code=`)).toBe(true)
  expect([...back.searchParams.keys()]).toEqual(['code', 'state'])
  expect(back.searchParams.get('code')).toMatch(/^[\w-]{43}$/)
})

test('Deny redirects with access_denied and the state, and issues no code (check 9, 4.1)', async () => {
  const { answer, sandbox } = open()
  const back = new URL(await answer('deny')).searchParams
  expect(Object.fromEntries(back)).toEqual({
    error: 'access_denied',
    error_description: expect.any(String),
    state: 'a-state-of-some-length',
  })
  expect(sandbox.snapshot().codes).toEqual({})
})

test.each(['permit', 'deny'])(
  'a page answered with %s cannot be answered again (S34, check 46, RFC 6749 10.12)',
  async (choice) => {
    const { ask, post, sandbox } = open()
    const { csrfToken, cookie } = await ask()
    await post(PERMISSION, { csrf_token: csrfToken, answer: choice }, cookie)
    const records = () => {
      const { codes, grants, pending } = sandbox.snapshot()
      return { codes, grants, pending }
    }
    const before = records()
    const again = await post(PERMISSION, { csrf_token: csrfToken, answer: 'permit' }, cookie)
    expect([again.status, again.headers.get('Location')]).toEqual([400, null])
    expect(records()).toEqual(before)
  },
)

test('only the person who was asked can answer the page (S34, check 46, RFC 6749 10.12)', async () => {
  const { ask, post, signIn, sandbox } = open()
  const { csrfToken, cookie } = await ask()
  for (const headers of [{}, await signIn('ben'), { Cookie: 'sandbox_person_4000=guess' }])
    expect((await post(PERMISSION, { csrf_token: csrfToken, answer: 'permit' }, headers)).status).toBe(400)
  expect(sandbox.snapshot().codes).toEqual({})
  expect((await post(PERMISSION, { csrf_token: csrfToken, answer: 'permit' }, cookie)).status).toBe(302)
})

test.each([
  ['no csrfToken', { answer: 'permit' }],
  ['a made-up csrfToken', { csrf_token: 'constructor', answer: 'permit' }],
])('with %s nothing is permitted (S34, check 46, RFC 6749 10.12)', async (_, fields) => {
  const { post, signIn } = open()
  const answer = await post(PERMISSION, fields, await signIn())
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('stale_form')])
})

test('an answer that is neither Permit nor Deny is refused, and the page stays open (4.1)', async () => {
  const { ask, post } = open()
  const { csrfToken, cookie } = await ask()
  for (const fields of [{ csrf_token: csrfToken }, { csrf_token: csrfToken, answer: 'maybe' }])
    expect((await post(PERMISSION, fields, cookie)).status).toBe(400)
  expect((await post(PERMISSION, { csrf_token: csrfToken, answer: 'permit' }, cookie)).status).toBe(302)
})

test('a consent page can be answered for ten minutes, and is deleted after that', async () => {
  const { ask, post, clock, sandbox } = open()
  const { csrfToken, cookie } = await ask()
  clock.ms += 599_999
  const second = await ask()
  clock.ms += 1
  expect((await post(PERMISSION, { csrf_token: csrfToken, answer: 'permit' }, cookie)).status).toBe(400)
  const late = { csrf_token: second.csrfToken, answer: 'deny' }
  expect((await post(PERMISSION, late, second.cookie)).status).toBe(302)
  clock.ms += 600_000
  for (let nth = 0; nth < 3; nth += 1) await ask()
  expect(Object.keys(sandbox.snapshot().pending)).toHaveLength(3)
})

test('a form that another site sends is refused (S34, check 46, RFC 6749 10.12)', async () => {
  const { ask, post, sandbox } = open()
  const { csrfToken, cookie } = await ask()
  for (const site of ['cross-site', 'same-site', 'none']) {
    const headers = { ...cookie, 'Sec-Fetch-Site': site }
    expect((await post(PERMISSION, { csrf_token: csrfToken, answer: 'permit' }, headers)).status).toBe(403)
  }
  expect(sandbox.snapshot().codes).toEqual({})
  const own = { ...cookie, 'Sec-Fetch-Site': 'same-origin' }
  expect((await post(PERMISSION, { csrf_token: csrfToken, answer: 'permit' }, own)).status).toBe(302)
})

test('the consent page names the application, and says below what it is for (5.3)', async () => {
  const { page } = await open().ask()
  const [application] = seed().applications
  for (const text of [`<dd>${application?.name}</dd>`, `<p>${application?.description}</p>`])
    expect(page).toContain(text)
})

test('names that others have written are shown as text (check 49, RFC 6749 10.14)', async () => {
  const known = seed()
  const evil = `<script>alert("1")</script>'&`
  const texts = { name: evil, description: evil, redirect_uri: `https://a.example/?x=${evil}` }
  const applications = [{ ...known.applications[0]!, ...texts }]
  const { ask } = open({
    seed: {
      ...known,
      applications,
      organizations: known.organizations.map((one) => ({ ...one, name: evil })),
      people: known.people.map((one) => ({ ...one, name: evil })),
    },
  })
  const { page } = await ask({ redirect_uri: undefined, state: '"><script>2</script>' })
  expect(page).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;')
  expect(page).not.toContain('<script')
})

test.each([
  ['a wrong content type', { 'Content-Type': 'application/json' }, '', 415],
  ['an answer that stands twice', {}, '&answer=deny', 400],
  ['more than 16 kB', {}, `&x=${'x'.repeat(16 * 1024)}`, 413],
])('%s permits nothing, and the page stays open (RFC 6749 3.1)', async (_, headers, more, status) => {
  const { ask, post, sandbox } = open()
  const { csrfToken, cookie } = await ask()
  const fields = `csrf_token=${csrfToken}&answer=permit`
  expect((await post(PERMISSION, fields + more, { ...cookie, ...headers })).status).toBe(status)
  expect(sandbox.snapshot().codes).toEqual({})
  expect((await post(PERMISSION, fields, cookie)).status).toBe(302)
})

test('only the form issues a code, and not a GET or a page that is looked at (S34, RFC 6749 10.2)', async () => {
  const { ask, send, sandbox } = open()
  const { csrfToken, cookie } = await ask()
  for (const path of [PERMISSION, '/oauth2/login'].map(
    (one) => `${one}?csrf_token=${csrfToken}&answer=permit`,
  ))
    expect((await send(path, { headers: cookie })).headers.get('Location')).toBeNull()
  expect(sandbox.snapshot().codes).toEqual({})
})

const PROJECTS = '/projects?organization_id=1001'

test('the page offers every person with their roles, and says that there is no password', async () => {
  const page = await (await open().send(PROJECTS)).text()
  for (const text of [
    'Ada Lindqvist',
    'administrator of Harbour Rope Works, member of Meridian Shipping',
    'no password',
  ])
    expect(page).toContain(text)
  expect(page.match(/<button name="person_id"/g)).toHaveLength(3)
})

test('a choice of a person sets a cookie that no script reads, and answers 303 (RFC 9700 4.12)', async () => {
  const { post } = open()
  const answer = await post(PROJECTS, { person_id: 'ada' })
  expect([answer.status, answer.headers.get('Location')]).toEqual([303, 'projects?organization_id=1001'])
  expect(answer.headers.get('Set-Cookie')).toMatch(
    /^sandbox_person_4000=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
  )
})

test('the cookie is for https only if the page is', async () => {
  const { sandbox } = open()
  const request = new Request(`https://sandbox.example${PROJECTS}`, {
    method: 'POST',
    body: new URLSearchParams('person_id=ada'),
  })
  expect((await sandbox.fetch(request)).headers.get('Set-Cookie')).toContain('Secure')
})

test('a sandbox on another port of the machine has a cookie of its own (RFC 6265 8.5)', async () => {
  const jar: Record<string, string> = {}
  for (const port of [4000, 4002]) {
    const { sandbox } = open()
    const headers = { Cookie: Object.values(jar).join('; ') }
    const body = new URLSearchParams('person_id=ada')
    const request = new Request(`http://127.0.0.1:${port}${PROJECTS}`, { method: 'POST', body, headers })
    const pair = (await sandbox.fetch(request)).headers.get('Set-Cookie')?.split(';')[0] ?? ''
    jar[pair.slice(0, pair.indexOf('='))] = pair
  }
  expect(Object.keys(jar)).toEqual(['sandbox_person_4000', 'sandbox_person_4002'])
})

test('each sign-in has a new cookie, and ends the one before', async () => {
  const { post, signIn, send } = open()
  const first = await signIn()
  const answer = await post(PROJECTS, { person_id: 'ben' }, first)
  const second = { Cookie: (answer.headers.get('Set-Cookie') ?? '').split(';')[0] ?? '' }
  expect(second.Cookie).not.toBe(first.Cookie)
  expect(await (await send(PROJECTS, { headers: first })).text()).toContain('Who are you?')
  expect(await (await send(PROJECTS, { headers: second })).text()).toContain('Ben Achterberg')
})

test('a sign-out ends the sign-in and removes the cookie', async () => {
  const { post, signIn, send } = open()
  const headers = await signIn()
  const answer = await post(PROJECTS, { person_id: '' }, headers)
  expect([answer.status, answer.headers.get('Set-Cookie')]).toEqual([
    303,
    expect.stringContaining('Max-Age=0'),
  ])
  expect(await (await send(PROJECTS, { headers })).text()).toContain('Who are you?')
})

test('a sign-in ends after twelve hours, and is then deleted', async () => {
  const { signIn, send, clock, sandbox } = open()
  const headers = await signIn()
  clock.ms += 12 * 3_600_000 - 1
  expect(await (await send(PROJECTS, { headers })).text()).toContain('Projects')
  clock.ms += 1
  expect(await (await send(PROJECTS, { headers })).text()).toContain('Who are you?')
  await signIn()
  expect(Object.keys(sandbox.snapshot().sign_ins)).toHaveLength(1)
})

test.each(['person_id=unknown', 'person_id=__proto__', 'person_id=ada&person_id=ben'])(
  '%s signs no one in',
  async (fields) => {
    const answer = await open().post(PROJECTS, fields)
    expect([answer.status, answer.headers.get('Set-Cookie')]).toEqual([400, null])
  },
)

test('a made-up cookie signs no one in', async () => {
  const { send } = open()
  for (const value of ['x', 'constructor', '', '%'])
    expect(
      await (await send(PROJECTS, { headers: { Cookie: `sandbox_person_4000=${value}` } })).text(),
    ).toContain('Who are you?')
})

test('the forms of sign-in and consent may lead to the redirect URI (check 33, RFC 6749 4.1.2.1)', async () => {
  const { send, signIn, authorizePath } = open()
  for (const headers of [{}, await signIn()])
    expect((await send(authorizePath(), { headers })).headers.get('Content-Security-Policy')).toContain(
      "form-action 'self' http://localhost:3000;",
    )
})

test('names and ids are shown as text (RFC 6749 10.14)', async () => {
  const evil = '"><script>1</script>'
  const people = [{ id: evil, name: evil, organizations: [{ organization_id: 7, role: 'member' as const }] }]
  const page = await (await open({ seed: { ...seed(), people } }).send(PROJECTS)).text()
  expect(page).not.toContain('<script')
  expect(page).toContain('member of 7')
})
