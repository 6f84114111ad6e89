import { describe, expect, test } from 'vitest'
import { readAgreement, readText } from '../../../src/sandbox/settings/field.tsx'
import { LONGEST_REDIRECT_URI, readRedirectUris } from '../../../src/sandbox/settings/redirect-uri.ts'
import { FORM } from '../../kit/sandbox.ts'
import { APPLICATION, atSettings, HOSTILE, KEY, records } from '../_settings.ts'

const GRANTS = { choices: { states: 'grants_withdrawable' } } as const
/** All values are valid. */
const FORMS: [path: string, fields: Record<string, string>][] = [
  ['api-keys/add', KEY],
  ['api-keys/0', { action: 'save', description: 'Other' }],
  ['api-keys/0', { action: 'delete' }],
  ['applications/add', APPLICATION],
  ['applications/0', { action: 'save', ...APPLICATION }],
  ['applications/0', { action: 'delete' }],
  ['plan', { plan: 'standard' }],
  ['permissions', { client_id: 'plimsoll' }],
]

/** Cleo has authorized an application. `0` in an address stands for the first in the list. */
async function cleo() {
  const there = await atSettings(GRANTS)
  await there.exchange(await there.authorize({ organization_id: '2002' }, 'cleo'))
  const addressOf = async (path: string) =>
    path.endsWith('/0') ? ((await there.handles(path.slice(0, -2)))[0] ?? '') : path
  return { ...there, addressOf }
}

/** What is sent with a valid form, and how it is answered. `others` is the cookie of another sign-in of Cleo. */
const INVALID_REQUESTS: [
  what: string,
  status: number,
  change: (sent: { path: string; body: string; proof: string; others: string }) => {
    path?: string
    body?: string
    headers?: Record<string, string>
    method?: string
  },
][] = [
  ['without its csrf token', 400, ({ body }) => ({ body })],
  ['with an invented csrf token', 400, ({ body }) => ({ body: `csrf_token=x&${body}` })],
  ['with its csrf token twice', 400, ({ body, proof }) => ({ body: `${proof}&${proof}&${body}` })],
  ['with another sign-in of the same person', 400, ({ others }) => ({ headers: { Cookie: others } })],
  ['from another site', 403, () => ({ headers: { 'Sec-Fetch-Site': 'cross-site' } })],
  ['from another origin of the same site', 403, () => ({ headers: { 'Sec-Fetch-Site': 'same-site' } })],
  ['as JSON', 415, () => ({ headers: { 'Content-Type': 'application/json' } })],
  ['with more than 16 kB', 413, ({ body, proof }) => ({ body: `${proof}&${body}&x=${'x'.repeat(17_000)}` })],
  ['by PUT', 405, () => ({ method: 'PUT' })],
  ['for an organization of other people', 404, ({ path }) => ({ path: path.replace('2002', '1001') })],
  ['for no organization', 404, ({ path }) => ({ path: path.split('?')[0] ?? '' })],
]

test.each(INVALID_REQUESTS)(
  'a form that is sent %s answers %i and changes nothing (RFC 6749 10.12)',
  async (_, status, change) => {
    const there = await cleo()
    const before = records(there.state())
    const proof = `csrf_token=${await there.csrfToken('plan')}`
    const others = (await there.signIn('cleo')).Cookie
    for (const [form, fields] of FORMS) {
      const path = there.at(await there.addressOf(form))
      const body = new URLSearchParams(fields).toString()
      const changed = { path, body: `${proof}&${body}`, ...change({ path, body, proof, others }) }
      const headers = { ...there.headers, ...FORM, ...changed.headers }
      const answer = await there.send(changed.path, { method: 'POST', ...changed, headers })
      expect([form, answer.status]).toEqual([form, status])
      expect(answer.headers.get('Content-Type')).toContain('text/html')
    }
    expect(records(there.state())).toEqual(before)
  },
)

test.each(FORMS)('without a sign-in the sign-in page is shown: %s %o', async (path, fields) => {
  const there = await cleo()
  const before = records(there.state())
  const body = `csrf_token=${await there.csrfToken(path)}&${new URLSearchParams(fields).toString()}`
  const answer = await there.post(there.at(await there.addressOf(path)), body)
  expect(await answer.text()).toContain('Who are you?')
  expect(records(there.state())).toEqual(before)
})

test.each(FORMS)('the complete form is accepted: %s %o (5.1, 5.2)', async (path, fields) => {
  const there = await cleo()
  const before = records(there.state())
  const { status, to } = await there.fill(await there.addressOf(path), fields)
  expect([status, to]).toEqual([303, expect.stringContaining('&done=')])
  expect(records(there.state())).not.toEqual(before)
})

const BAD_BODIES = [
  '',
  'agreement=agreed&agreement=agreed',
  'action=save&action=delete',
  'action=constructor',
  'action=__proto__',
  'plan=enterprise',
  'plan=business&plan=standard',
  `plan=${encodeURIComponent(HOSTILE)}`,
  'name=+&redirect_uri=https%3A%2F%2Fa.example&agreement=agreed&action=save&description=a&description=b',
  `description=${'x'.repeat(501)}&agreement=agreed&action=save&name=a&redirect_uri=https%3A%2F%2Fa.example`,
  `name=${'x'.repeat(101)}&redirect_uri=https%3A%2F%2Fa.example&agreement=agreed&action=save&description=%00`,
  'client_id=plimsoll&client_id=plimsoll&agreement=agreed&description=%E2%80%AE&action=save',
  'client_id=unknown&action=renew',
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
  const one = await csrfToken('plan')
  expect(one).toMatch(/^[\w-]{43}$/)
  expect(headers.Cookie).not.toContain(one)
  expect(await csrfToken('applications/add')).toBe(one)
})

describe('readText', () => {
  const read = (text: string, isRequired = false) =>
    readText(new URLSearchParams(text), 'a', { label: 'Name', longest: 5, isRequired })

  test.each([
    ['a=+b+', { text: 'b', error: undefined }],
    ['a=', { text: '', error: undefined }],
    ['', { text: '', error: undefined }],
    ['a=12345', { text: '12345', error: undefined }],
    ['a=123456', { text: '123456', error: 'Name has 6 characters; at most 5 are allowed.' }],
    ['a=1&a=1', { text: '1', error: 'Name is in the form twice.' }],
    ['a=1%002', { text: '1\u00002', error: 'Name has a character that cannot be shown.' }],
    ['a=1%E2%80%AE2', { text: '1\u202E2', error: 'Name has a character that cannot be shown.' }],
    ['a=1%0A2', { text: '1\n2', error: 'Name has a character that cannot be shown.' }],
  ])('reads %s', (form, expected) => {
    expect(read(form)).toEqual(expected)
  })

  test.each(['', 'a=', 'a=+++'])('requires more than %j', (form) =>
    expect(read(form, true).error).toBe('Enter the name.'),
  )
})

test.each(['', 'agreement=', 'agreement=on', 'agreement=agreed&agreement=agreed', 'Agreement=agreed'])(
  '%j is not an agreement (S21, S26, 5.1)',
  (form) => {
    expect(readAgreement(new URLSearchParams(form))).toMatch(/agree/)
  },
)

test('a form comes back with its values, and each error at its field and in a list (WCAG 3.3.1)', async () => {
  const { fill } = await atSettings()
  const { status, text } = await fill('applications/add', { name: HOSTILE, redirect_uri: '/x' })
  expect(status).toBe(422)
  expect(text).toContain('<title>Error: Add application')
  expect(text).toContain('role="alert"')
  for (const name of ['redirect_uri', 'agreement']) {
    expect(text).toContain(`href="#${name}"`)
    expect(text).toMatch(new RegExp(`aria-describedby="[^"]*${name}-error"`))
    expect(text).toContain(`id="${name}-error"`)
  }
  expect(text.match(/aria-invalid="true"/g)).toHaveLength(2)
  expect(text).not.toMatch(/<script|<img/)
  expect(text).toContain('value="/x"')
})

test('every field has a label, and required fields the attribute (WCAG 1.3.1)', async () => {
  const { read } = await atSettings()
  const { text } = await read('applications/add')
  for (const name of Object.keys({ ...APPLICATION, description: '' }).filter((one) => one !== 'agreement'))
    expect(text).toContain(`<label for="${name}">`)
  expect(text.match(/ required=""/g)).toHaveLength(3)
  expect(text).toContain('(optional)')
})

const DEFAULT = { redirscheme: 'https_or_loopback', redircount: 'one' } as const
const isTaken = (uri: string, choices: Parameters<typeof readRedirectUris>[1] = DEFAULT) =>
  'uris' in readRedirectUris(uri, choices)

test.each([
  'https://app.example/callback',
  'https://app.example',
  'https://app.example:8443/a?b=c&d=%20e',
  'HTTPS://App.Example/Callback',
  'http://localhost:3000/callback',
  'http://127.0.0.1/callback',
  'http://127.8.9.1:1/',
  'http://[::1]:3000/callback',
  `https://a.example/${'x'.repeat(LONGEST_REDIRECT_URI - 18)}`,
])('%s can be registered, and is not changed (check 38, check 39, RFC 6749 3.1.2)', (uri) => {
  expect(readRedirectUris(` ${uri}\n`, DEFAULT)).toEqual({ uris: [uri] })
})

test.each([
  '',
  ' \r\n ',
  '/callback',
  'callback',
  '//app.example/callback',
  '?code',
  'app.example/callback',
  'https:callback',
  'https:/callback',
  'https://',
  'https://?x',
  'https://:443/',
])('the relative or unfinished %j cannot be registered (S23, check 38, RFC 6749 3.1.2)', (uri) => {
  expect(isTaken(uri)).toBe(false)
})

test.each(['https://app.example/callback#', 'https://app.example/#top', 'https://app.example#/?a=b'])(
  '%s has a fragment and cannot be registered (S23, check 38, RFC 6749 3.1.2)',
  (uri) => {
    expect(readRedirectUris(uri, DEFAULT)).toEqual({ error: expect.stringContaining('fragment') })
  },
)

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'ftp://app.example/',
  'com.example.app:/callback',
  'https://user@app.example/',
  'https://user:secret@app.example/',
  'https://good.example\\@evil.example/',
  'https://app.example/ b',
  'https://app.example/\u0000',
  'https://app.example/%zz',
  'https://app.example/ä',
  'https://app.example/"><script>',
  "https://a;script-src'/",
  'https://a,b/',
  'https://a*b/',
  `https://a.example/${'x'.repeat(LONGEST_REDIRECT_URI)}`,
])('%j cannot be registered (check 38, RFC 3986 2)', (uri) => {
  expect(isTaken(uri)).toBe(false)
})

const ANYWHERE = 'http://app.example/callback'
const HERE = 'http://localhost:3000/callback'
test.each([
  ['https_or_loopback', { anywhere: false, here: true }],
  ['any_http', { anywhere: true, here: true }],
  ['https_only', { anywhere: false, here: false }],
] as const)(
  'with %s, http is accepted %o (U16, check 39, RFC 9700 2.6)',
  (redirscheme, { anywhere, here }) => {
    const choices = { ...DEFAULT, redirscheme }
    expect([isTaken(ANYWHERE, choices), isTaken(HERE, choices)]).toEqual([anywhere, here])
    expect(isTaken('https://app.example/callback', choices)).toBe(true)
  },
)

test.each(['http://localhost.evil.example/', 'http://127.0.0.1.evil.example/', 'http://0.0.0.0/'])(
  '%s is not this machine (check 39, RFC 8252 7.3)',
  (uri) => {
    expect(isTaken(uri)).toBe(false)
  },
)

describe('how many an application may have', () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, at) => `https://app.example/${at}`).join('\r\n')

  test('is one, in the singular of the document (U17, 5.2)', () => {
    expect([isTaken(lines(1)), isTaken(lines(2))]).toEqual([true, false])
  })

  test('is several if chosen, each checked and none repeated (U17, 5.2)', () => {
    const choices = { ...DEFAULT, redircount: 'several' } as const
    expect(readRedirectUris(lines(2), choices)).toEqual({
      uris: ['https://app.example/0', 'https://app.example/1'],
    })
    expect([isTaken(lines(10), choices), isTaken(lines(11), choices)]).toEqual([true, false])
    expect(isTaken(`${lines(2)}\n${ANYWHERE}`, choices)).toBe(false)
    expect(isTaken(`${lines(1)}\n${lines(1)}`, choices)).toBe(false)
  })
})
