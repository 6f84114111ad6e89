import { expect, test } from 'vitest'
import { open, seed } from '../../kit/sandbox.ts'

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

test.each(['unknown', '__proto__'])('%s cannot sign in', async (person_id) => {
  const answer = await open().post(PROJECTS, { person_id })
  expect([answer.status, answer.headers.get('Set-Cookie')]).toEqual([400, null])
})

test('two people at once cannot sign in', async () => {
  const answer = await open().post(PROJECTS, 'person_id=ada&person_id=ben')
  expect([answer.status, answer.headers.get('Set-Cookie')]).toEqual([400, null])
})

test('a made-up cookie signs no one in', async () => {
  const { send } = open()
  for (const value of ['x', 'constructor', '', '%'])
    expect(
      await (await send(PROJECTS, { headers: { Cookie: `sandbox_person_4000=${value}` } })).text(),
    ).toContain('Who are you?')
})

test('a form of another site signs no one in', async () => {
  const answer = await open().post(PROJECTS, { person_id: 'ada' }, { 'Sec-Fetch-Site': 'cross-site' })
  expect([answer.status, answer.headers.get('Set-Cookie')]).toEqual([403, null])
})

test('the form on the authorization page may lead to the redirect URI, for errors (RFC 6749 4.1.2.1)', async () => {
  const { send, authorizePath } = open()
  const { headers } = await send(authorizePath({ response_type: 'x' }))
  expect(headers.get('Content-Security-Policy')).toContain("form-action 'self' http://localhost:3000;")
})

test('names and ids are shown as text (RFC 6749 10.14)', async () => {
  const evil = '"><script>1</script>'
  const people = [{ id: evil, name: evil, organizations: [{ organization_id: 7, role: 'member' as const }] }]
  const page = await (await open({ seed: { ...seed(), people } }).send(PROJECTS)).text()
  expect(page).not.toContain('<script')
  expect(page).toContain('member of 7')
})
