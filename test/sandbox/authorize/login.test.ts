import { expect, test } from 'vitest'
import { type Start, start } from '../_start.ts'

const PROJECTS = '/projects?organization_id=1001'
const WHO = 'Who are you?'
const projects = async ({ send }: Start, headers: Record<string, string>) =>
  (await send(PROJECTS, { headers })).text()
const cookieOf = ({ headers }: Response) => ({ Cookie: headers.get('Set-Cookie')?.split(';')[0] ?? '' })

test('the page offers every person with their roles, and says that there is no password (5)', async () => {
  const page = await projects(start(), {})
  for (const text of ['Ada Lindqvist', 'administrator of Harbour Rope Works, member of Meridian Shipping'])
    expect(page).toContain(text)
  expect(page).toContain('no password')
  expect(page.match(/<button name="person_id"/g)).toHaveLength(3)
})

test('a choice of a person sets a cookie that no script reads, and answers 303 (RFC 9700 4.12)', async () => {
  const answer = await start().post(PROJECTS, { person_id: 'ada' })
  expect([answer.status, answer.headers.get('Location')]).toEqual([303, 'projects?organization_id=1001'])
  expect(answer.headers.get('Set-Cookie')).toMatch(
    /^sandbox_person_4000=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
  )
})

test('the cookie is for https only if the page is, and for one port of the machine (RFC 6265 8.5)', async () => {
  const body = new URLSearchParams('person_id=ada')
  const signIn = async (origin: string, headers = {}) =>
    start().sandbox.fetch(new Request(origin + PROJECTS, { method: 'POST', body, headers }))
  expect((await signIn('https://sandbox.example')).headers.get('Set-Cookie')).toContain('Secure')
  const first = cookieOf(await signIn('http://127.0.0.1:4000'))
  expect(first.Cookie).toMatch(/^sandbox_person_4000=/)
  expect(cookieOf(await signIn('http://127.0.0.1:4002', first)).Cookie).toMatch(/^sandbox_person_4002=/)
})

test('each sign-in has a new cookie and ends the one before, and a sign-out removes it (5)', async () => {
  const there = start()
  const first = await there.signIn()
  const second = cookieOf(await there.post(PROJECTS, { person_id: 'ben' }, first))
  expect(second.Cookie).not.toBe(first.Cookie)
  expect(await projects(there, first)).toContain(WHO)
  expect(await projects(there, second)).toMatch(/Ben Achterberg<\/span><button[^>]*>Sign out/)
  const out = await there.post(PROJECTS, { person_id: '' }, second)
  expect([out.status, out.headers.get('Set-Cookie')]).toEqual([303, expect.stringContaining('Max-Age=0')])
  const page = await projects(there, second)
  expect([page.includes(WHO), page.includes('Sign out')]).toEqual([true, false])
})

test('a sign-in ends after twelve hours, and is then deleted (5)', async () => {
  const there = start()
  const headers = await there.signIn()
  there.later(12 * 3600, -1)
  expect(await projects(there, headers)).toContain('Projects')
  there.later(0, 1)
  expect(await projects(there, headers)).toContain(WHO)
  await there.signIn()
  expect(Object.keys(there.sandbox.snapshot().sign_ins)).toHaveLength(1)
})

test('no unknown person and no made-up cookie is signed in (5)', async () => {
  const there = start()
  for (const fields of ['person_id=unknown', 'person_id=__proto__', 'person_id=ada&person_id=ben']) {
    const answer = await there.post(PROJECTS, fields)
    expect([answer.status, answer.headers.get('Set-Cookie')]).toEqual([400, null])
  }
  for (const value of ['x', 'constructor', '', '%'])
    expect(await projects(there, { Cookie: `sandbox_person_4000=${value}` })).toContain(WHO)
})
