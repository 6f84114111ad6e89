import { expect, test } from 'vitest'
import { CALLBACK, open, seed } from './_sandbox.ts'

test('the page names application, organization, plan, person and where it goes back to (4.1)', async () => {
  const { page } = await open().ask({ organization_id: '2002' }, 'cleo')
  for (const text of ['Plimsoll', 'Meridian Shipping', 'business', 'Cleo Marchetti', CALLBACK])
    expect(page).toContain(text)
})

test('Permit leads back by 303 with a code and the state, and nothing else (4.1, RFC 9700 4.12)', async () => {
  const { ask, post } = open()
  const { ticket, cookie } = await ask()
  const answer = await post('/oauth2/permission', { ticket, answer: 'permit' }, cookie)
  expect(answer.status).toBe(303)
  const back = new URL(answer.headers.get('Location') ?? '')
  expect(back.href.startsWith(`${CALLBACK}?code=`)).toBe(true)
  expect([...back.searchParams.keys()]).toEqual(['code', 'state'])
  expect(back.searchParams.get('code')).toMatch(/^[\w-]{43}$/)
})

test('Deny leads back with access_denied and the state, and issues no code (4.1)', async () => {
  const { answer, sandbox } = open()
  const back = new URL(await answer('deny')).searchParams
  expect(Object.fromEntries(back)).toEqual({
    error: 'access_denied',
    error_description: expect.any(String),
    state: 'a-state-of-some-length',
  })
  expect(sandbox.snapshot().codes).toEqual({})
})

test('the parameters and the word of a denial are others where that is chosen (4.1)', async () => {
  const redirect_parameters = { code: 'auth_code', state: 'echo', error: 'fault' }
  const { answer } = open({ choices: { redirect_parameters, denial: { error: 'no' } } })
  expect([...new URL(await answer('permit')).searchParams.keys()]).toEqual(['auth_code', 'echo'])
  expect(new URL(await answer('deny')).searchParams.get('fault')).toBe('no')
})

test.each(['permit', 'deny'])(
  'a page answered with %s cannot be answered again (RFC 6749 10.12)',
  async (choice) => {
    const { ask, post, sandbox } = open()
    const { ticket, cookie } = await ask()
    await post('/oauth2/permission', { ticket, answer: choice }, cookie)
    const before = sandbox.snapshot()
    const again = await post('/oauth2/permission', { ticket, answer: 'permit' }, cookie)
    expect([again.status, again.headers.get('Location')]).toEqual([400, null])
    expect(sandbox.snapshot()).toEqual(before)
  },
)

test('the page is bound to the person who was asked (RFC 6749 10.12)', async () => {
  const { ask, post, signIn, sandbox } = open()
  const { ticket, cookie } = await ask()
  for (const headers of [{}, await signIn('ben'), { Cookie: 'sandbox_person=guess' }])
    expect((await post('/oauth2/permission', { ticket, answer: 'permit' }, headers)).status).toBe(400)
  expect(sandbox.snapshot().codes).toEqual({})
  expect((await post('/oauth2/permission', { ticket, answer: 'permit' }, cookie)).status).toBe(303)
})

test.each([
  ['no ticket', { answer: 'permit' }],
  ['a made-up ticket', { ticket: 'constructor', answer: 'permit' }],
])('with %s nothing is permitted (RFC 6749 10.12)', async (_, fields) => {
  const { post, signIn } = open()
  const answer = await post('/oauth2/permission', fields, await signIn())
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('stale_form')])
})

test('an answer that is neither Permit nor Deny is none, and the page stays open (4.1)', async () => {
  const { ask, post } = open()
  const { ticket, cookie } = await ask()
  for (const fields of [{ ticket }, { ticket, answer: 'maybe' }])
    expect((await post('/oauth2/permission', fields, cookie)).status).toBe(400)
  expect((await post('/oauth2/permission', { ticket, answer: 'permit' }, cookie)).status).toBe(303)
})

test('a page is open for ten minutes, and forgotten after', async () => {
  const { ask, post, clock, sandbox } = open()
  const { ticket, cookie } = await ask()
  clock.ms += 599_999
  const second = await ask()
  clock.ms += 1
  expect((await post('/oauth2/permission', { ticket, answer: 'permit' }, cookie)).status).toBe(400)
  expect(
    (await post('/oauth2/permission', { ticket: second.ticket, answer: 'deny' }, second.cookie)).status,
  ).toBe(303)
  await ask()
  expect(Object.keys(sandbox.snapshot().pending)).toHaveLength(1)
})

test('a form that another site sends is refused (RFC 6749 10.12)', async () => {
  const { ask, post, sandbox } = open()
  const { ticket, cookie } = await ask()
  for (const site of ['cross-site', 'same-site', 'none']) {
    const headers = { ...cookie, 'Sec-Fetch-Site': site }
    expect((await post('/oauth2/permission', { ticket, answer: 'permit' }, headers)).status).toBe(403)
  }
  expect(sandbox.snapshot().codes).toEqual({})
  const own = await post(
    '/oauth2/permission',
    { ticket, answer: 'permit' },
    { ...cookie, 'Sec-Fetch-Site': 'same-origin' },
  )
  expect(own.status).toBe(303)
})

test('what others have written is shown as text (RFC 6749 10.14)', async () => {
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

test('its form may lead to the origin of the redirect URI, and the page cannot be framed (RFC 6749 10.13)', async () => {
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
