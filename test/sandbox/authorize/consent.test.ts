import { expect, test } from 'vitest'
import { CALLBACK, open, seed } from '../../kit/sandbox.ts'

test('the page names application, organization, plan, person and address (S34, S55, check 46, 4.1)', async () => {
  const { page } = await open().ask({ organization_id: '2002' }, 'cleo')
  for (const text of ['Plimsoll', 'Meridian Shipping', 'business', 'Cleo Marchetti', CALLBACK])
    expect(page).toContain(text)
})

test('Permit redirects with a code, the state and nothing else (S35, S36, check 7, check 34, 4.1)', async () => {
  const { ask, post } = open()
  const { csrfToken, cookie } = await ask()
  const answer = await post('/oauth2/permission', { csrf_token: csrfToken, answer: 'permit' }, cookie)
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
    await post('/oauth2/permission', { csrf_token: csrfToken, answer: choice }, cookie)
    const records = () => {
      const { codes, grants, pending } = sandbox.snapshot()
      return { codes, grants, pending }
    }
    const before = records()
    const again = await post('/oauth2/permission', { csrf_token: csrfToken, answer: 'permit' }, cookie)
    expect([again.status, again.headers.get('Location')]).toEqual([400, null])
    expect(records()).toEqual(before)
  },
)

test('only the person who was asked can answer the page (S34, check 46, RFC 6749 10.12)', async () => {
  const { ask, post, signIn, sandbox } = open()
  const { csrfToken, cookie } = await ask()
  for (const headers of [{}, await signIn('ben'), { Cookie: 'sandbox_person_4000=guess' }])
    expect(
      (await post('/oauth2/permission', { csrf_token: csrfToken, answer: 'permit' }, headers)).status,
    ).toBe(400)
  expect(sandbox.snapshot().codes).toEqual({})
  expect((await post('/oauth2/permission', { csrf_token: csrfToken, answer: 'permit' }, cookie)).status).toBe(
    302,
  )
})

test.each([
  ['no csrfToken', { answer: 'permit' }],
  ['a made-up csrfToken', { csrf_token: 'constructor', answer: 'permit' }],
])('with %s nothing is permitted (S34, check 46, RFC 6749 10.12)', async (_, fields) => {
  const { post, signIn } = open()
  const answer = await post('/oauth2/permission', fields, await signIn())
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('stale_form')])
})

test('an answer that is neither Permit nor Deny is refused, and the page stays open (4.1)', async () => {
  const { ask, post } = open()
  const { csrfToken, cookie } = await ask()
  for (const fields of [{ csrf_token: csrfToken }, { csrf_token: csrfToken, answer: 'maybe' }])
    expect((await post('/oauth2/permission', fields, cookie)).status).toBe(400)
  expect((await post('/oauth2/permission', { csrf_token: csrfToken, answer: 'permit' }, cookie)).status).toBe(
    302,
  )
})

test('a consent page can be answered for ten minutes, and is deleted after that', async () => {
  const { ask, post, clock, sandbox } = open()
  const { csrfToken, cookie } = await ask()
  clock.ms += 599_999
  const second = await ask()
  clock.ms += 1
  expect((await post('/oauth2/permission', { csrf_token: csrfToken, answer: 'permit' }, cookie)).status).toBe(
    400,
  )
  expect(
    (await post('/oauth2/permission', { csrf_token: second.csrfToken, answer: 'deny' }, second.cookie))
      .status,
  ).toBe(302)
  clock.ms += 600_000
  for (let nth = 0; nth < 3; nth += 1) await ask()
  expect(Object.keys(sandbox.snapshot().pending)).toHaveLength(3)
})

test('a form that another site sends is refused (S34, check 46, RFC 6749 10.12)', async () => {
  const { ask, post, sandbox } = open()
  const { csrfToken, cookie } = await ask()
  for (const site of ['cross-site', 'same-site', 'none']) {
    const headers = { ...cookie, 'Sec-Fetch-Site': site }
    expect(
      (await post('/oauth2/permission', { csrf_token: csrfToken, answer: 'permit' }, headers)).status,
    ).toBe(403)
  }
  expect(sandbox.snapshot().codes).toEqual({})
  const own = await post(
    '/oauth2/permission',
    { csrf_token: csrfToken, answer: 'permit' },
    { ...cookie, 'Sec-Fetch-Site': 'same-origin' },
  )
  expect(own.status).toBe(302)
})

test('names that others have written are shown as text (check 49, RFC 6749 10.14)', async () => {
  const known = seed()
  const evil = `<script>alert("1")</script>'&`
  const applications = [
    {
      ...known.applications[0]!,
      name: evil,
      description: evil,
      redirect_uri: `https://a.example/?x=${evil}`,
    },
  ]
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

test('its form may redirect to the redirect URI, and no page can frame it (check 33, RFC 6749 10.13)', async () => {
  const { signIn, send, authorizePath } = open()
  const { headers } = await send(authorizePath(), { headers: await signIn() })
  expect(headers.get('Content-Security-Policy')).toContain("form-action 'self' http://localhost:3000;")
  expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'")
  expect(headers.get('X-Frame-Options')).toBe('DENY')
  expect(headers.get('Referrer-Policy')).toBe('no-referrer')
})

test('there is no page at the address of the answer (RFC 9110 15.5.6)', async () => {
  const answer = await open().send('/oauth2/permission')
  expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'POST'])
})

test.each([
  ['a wrong content type', { 'Content-Type': 'application/json' }, '', 415],
  ['an answer that stands twice', {}, '&answer=deny', 400],
  ['more than 16 kB', {}, `&x=${'x'.repeat(16 * 1024)}`, 413],
])('%s permits nothing, and the page stays open (RFC 6749 3.1)', async (_, headers, more, status) => {
  const { ask, post, sandbox } = open()
  const { csrfToken, cookie } = await ask()
  const fields = `csrf_token=${csrfToken}&answer=permit`
  expect((await post('/oauth2/permission', fields + more, { ...cookie, ...headers })).status).toBe(status)
  expect(sandbox.snapshot().codes).toEqual({})
  expect((await post('/oauth2/permission', fields, cookie)).status).toBe(302)
})

test('an application that was deleted after it asked gets no code (check 67, RFC 6749 3.2.1)', async () => {
  const opened = open()
  const { csrfToken, cookie } = await opened.ask()
  const later = open({ state: { ...opened.sandbox.snapshot(), applications: [] } })
  const answer = await later.post('/oauth2/permission', { csrf_token: csrfToken, answer: 'permit' }, cookie)
  expect([answer.status, answer.headers.get('Location')]).toEqual([400, null])
})

test('only the form issues a code, and not a GET or a page that is looked at (S34, RFC 6749 10.2)', async () => {
  const { ask, send, sandbox } = open()
  const { csrfToken, cookie } = await ask()
  for (const path of [
    `/oauth2/permission?csrf_token=${csrfToken}&answer=permit`,
    `/oauth2/login?csrf_token=${csrfToken}&answer=permit`,
  ])
    expect((await send(path, { headers: cookie })).headers.get('Location')).toBeNull()
  expect(sandbox.snapshot().codes).toEqual({})
})
