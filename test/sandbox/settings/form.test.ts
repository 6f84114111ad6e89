import { expect, test } from 'vitest'
import { AGREEMENT, readFields, redirectUriError } from '../../../src/sandbox/settings/field.tsx'
import { FORM } from '../../kit/sandbox.ts'
import { APPLICATION, atSettings, HOSTILE, KEY, records } from '../_settings.ts'

/** All values are valid. */
const FORMS: [path: string, fields: Record<string, string>][] = [
  ['api-keys/add', KEY],
  ['api-keys/0', { action: 'save', description: 'Other' }],
  ['api-keys/0', { action: 'delete' }],
  ['applications/add', APPLICATION],
  ['applications/0', { action: 'save', ...APPLICATION }],
  ['applications/0', { action: 'delete' }],
]

/** `0` in an address stands for the first in the list. */
async function cleo() {
  const there = await atSettings()
  const addressOf = async (path: string) =>
    path.endsWith('/0') ? ((await there.handles(path.slice(0, -2)))[0] ?? '') : path
  return { ...there, addressOf }
}

type Change = { proof?: string; search?: string; method?: string; headers?: Record<string, string> }

test.each<[what: string, status: number, change: Change]>([
  ['without its csrf token', 400, { proof: '' }],
  ['with an invented csrf token', 400, { proof: 'csrf_token=x' }],
  ['with its csrf token twice', 400, { proof: 'csrf_token=TOKEN&csrf_token=TOKEN' }],
  ['with another sign-in of the same person', 400, { headers: { Cookie: 'another' } }],
  ['from another site', 403, { headers: { 'Sec-Fetch-Site': 'cross-site' } }],
  ['from another origin of the same site', 403, { headers: { 'Sec-Fetch-Site': 'same-site' } }],
  ['as JSON', 415, { headers: { 'Content-Type': 'application/json' } }],
  ['with more than 16 kB', 413, { proof: `csrf_token=TOKEN&x=${'x'.repeat(17_000)}` }],
  ['by PUT', 405, { method: 'PUT' }],
  ['for an organization of other people', 404, { search: '?organization_id=1001' }],
  ['for no organization', 404, { search: '' }],
])('a form that is sent %s answers %i and changes nothing (RFC 6749 10.12)', async (_, status, change) => {
  const { proof = 'csrf_token=TOKEN', search = '?organization_id=2002', method = 'POST', headers } = change
  const there = await cleo()
  const before = records(there.state())
  const token = proof.replaceAll('TOKEN', await there.csrfToken('api-keys/add'))
  const sign = headers?.['Cookie'] ? await there.signIn('cleo') : {}
  for (const [form, fields] of FORMS) {
    const body = `${token}&${new URLSearchParams(fields).toString()}`
    const path = `/settings/${await there.addressOf(form)}${search}`
    const sent = { ...there.headers, ...FORM, ...headers, ...sign }
    const answer = await there.send(path, { method, headers: sent, body })
    expect([form, answer.status]).toEqual([form, status])
    expect(answer.headers.get('Content-Type')).toContain('text/html')
  }
  expect(records(there.state())).toEqual(before)
})

test.each(FORMS)(
  'the form %s %o is accepted, and without a sign-in it changes nothing (5.1, 5.2)',
  async (path, fields) => {
    const there = await cleo()
    const before = records(there.state())
    const address = await there.addressOf(path)
    const body = `csrf_token=${await there.csrfToken(path)}&${new URLSearchParams(fields).toString()}`
    expect(await (await there.post(there.at(address), body)).text()).toContain('Who are you?')
    expect(records(there.state())).toEqual(before)
    const { status, to } = await there.fill(address, fields)
    // The redirect is relative: it leads to the list under any base path.
    const list = new URL(to ?? '', `https://service.example/a/b${there.at(address)}`)
    expect([status, list.pathname]).toEqual([303, `/a/b/settings/${path.split('/')[0]}`])
    expect(list.search).toBe('?organization_id=2002')
    expect(records(there.state())).not.toEqual(before)
  },
)

const BAD_BODIES = [
  '',
  'agreement=agreed&agreement=agreed',
  'action=save&action=delete',
  'action=constructor',
  'action=__proto__',
  'name=+&redirect_uri=https%3A%2F%2Fa.example&agreement=agreed&action=save&description=a&description=b',
  `description=${'x'.repeat(501)}&agreement=agreed&action=save&name=a&redirect_uri=https%3A%2F%2Fa.example`,
  `name=${'x'.repeat(101)}&redirect_uri=https%3A%2F%2Fa.example&agreement=agreed&action=save&description=%00`,
  'client_id=plimsoll&client_id=plimsoll&agreement=agreed&description=%E2%80%AE&action=save',
]
test.each([...new Set(FORMS.map(([path]) => path))])(
  'a form with missing, repeated, too long or hostile values is refused, and changes nothing: %s',
  async (path) => {
    const there = await cleo()
    const address = await there.addressOf(path)
    const before = records(there.state())
    for (const body of BAD_BODIES) {
      const { status, text } = await there.fill(address, body)
      expect([body, [400, 422].includes(status)]).toEqual([body, true])
      expect(text).not.toMatch(/<script|<img/)
    }
    expect(records(there.state())).toEqual(before)
  },
)

test('a form with person_id only signs in', async () => {
  const { post, at, state } = await atSettings()
  const answer = await post(at('api-keys/add'), { person_id: 'ada', ...KEY })
  expect([answer.status, answer.headers.get('Location')]).toEqual([303, 'add?organization_id=2002'])
  expect(state().api_keys).toHaveLength(2)
})

test('the csrf token hides the cookie, and is the same on every page of a sign-in (RFC 6749 10.12)', async () => {
  const { csrfToken, headers } = await atSettings()
  const one = await csrfToken('api-keys/add')
  expect([one, headers.Cookie.includes(one)]).toEqual([expect.stringMatching(/^[\w-]{43}$/), false])
  expect(await csrfToken('applications/add')).toBe(one)
})

test.each([
  ['a=+b+', 'b', undefined],
  ['a=', '', 'Enter the name.'],
  ['', '', 'Enter the name.'],
  ['a=12345', '12345', undefined],
  ['a=123456', '123456', 'Name has 6 characters; at most 5 are allowed.'],
  ['a=1&a=1', '1', 'Name is in the form twice.'],
  ['a=1%002', '1\u00002', 'Name has a character that cannot be shown.'],
  ['a=1%E2%80%AE2', '1\u202E2', 'Name has a character that cannot be shown.'],
])('a required field of at most 5 characters reads %s', (form, text, error) => {
  const rule = { name: 'a', label: 'Name', longest: 5, isRequired: true }
  const { values, errors } = readFields([rule], new URLSearchParams(form))
  expect([values['a'], errors['a']]).toEqual([text, error])
})

test.each(['', 'agreement=', 'agreement=on', 'agreement=agreed&agreement=agreed', 'Agreement=agreed'])(
  '%j is not an agreement (S21, S26, 5.1)',
  (form) => {
    expect(readFields([AGREEMENT], new URLSearchParams(form)).errors['agreement']).toMatch(/agree/)
  },
)

test('a form comes back with its values, and each error at its field and in an alert (WCAG 3.3.1)', async () => {
  const { fill } = await atSettings()
  const { status, text } = await fill('applications/add', { name: HOSTILE, redirect_uri: '/x' })
  expect(status).toBe(422)
  expect(text).toContain('<title>Error: Add application')
  expect(text).toContain('role="alert"')
  for (const name of ['redirect_uri', 'agreement']) {
    expect(text).toMatch(new RegExp(`aria-describedby="[^"]*${name}-error"`))
    expect(text).toContain(`id="${name}-error"`)
  }
  expect(text).toContain('value="/x"')
})

test.each([
  'https://app.example/callback',
  'https://app.example:8443/a?b=c&d=%20e',
  'HTTPS://App.Example/Callback',
  'http://localhost:3000/callback',
  'http://127.8.9.1:1/',
  'http://[::1]:3000/callback',
])('%s can be registered (check 38, check 39, RFC 6749 3.1.2)', (uri) => {
  expect(redirectUriError(uri)).toBeUndefined()
})

test.each([
  '/callback',
  '//app.example/callback',
  'app.example/callback',
  'https:/callback',
  'https://?x',
  'https://app.example/callback#',
  'https://app.example#/?a=b',
  'javascript:alert(1)',
  'data:text/html,x',
  'com.example.app:/callback',
  'https://user:secret@app.example/',
  'https://good.example\\@evil.example/',
  'https://app.example/ b',
  'https://app.example/%zz',
  'https://app.example/ä',
  'https://app.example/"><script>',
  `https://a;script-src'/`,
  'https://a*b/',
  'http://app.example/',
  'http://localhost.evil.example/',
  'http://0.0.0.0/',
])('%j cannot be registered (S23, check 38, check 39, RFC 3986 2, RFC 8252 7.3)', (uri) => {
  expect(redirectUriError(uri)).toMatch(/^The redirect URI /)
})
