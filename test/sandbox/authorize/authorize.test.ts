import { assert, asyncProperty, integer, string } from 'fast-check'
import { expect, test } from 'vitest'
import { AUTHORIZATION_PARAMETERS } from '../../../src/contract/authorize.ts'
import { findAuthorizationError, stateOf } from '../../../src/sandbox/authorize/authorize.ts'
import { type Choices, DEFAULT_CHOICES } from '../../../src/sandbox/choices/choices.ts'
import { BASE, CALLBACK, seed } from '../../kit/sandbox.ts'
import { each, start } from '../_start.ts'

const STATE = 'a-state-of-some-length'

test.each(AUTHORIZATION_PARAMETERS)('%s twice is refused (check 10, U32, RFC 6749 3.1)', async (name) => {
  const { visit, authorizePath } = start()
  const value = new URL(authorizePath(), CALLBACK).searchParams.get(name) ?? ''
  const { status, back } = await visit(`${authorizePath()}&${name}=${encodeURIComponent(value)}`)
  const isPage = name === 'client_id' || name === 'redirect_uri'
  const redirect = [302, 'invalid_request', name === 'state' ? null : STATE]
  const seen = [status, back?.get('error'), back?.get('state')]
  expect(seen).toEqual(isPage ? [400, undefined, undefined] : redirect)
})

test.each([
  ['a good request', {}],
  ['a request with a wrong response_type', { response_type: 'token' }],
  ['a request for a strange organization', { organization_id: '7' }],
])('%s redirects no one who is not signed in (S29, check 45, RFC 9700 4.11.2)', async (_, changes) => {
  const { status, to, html } = await start().visit(changes, null)
  expect([status, to, html]).toEqual([200, null, expect.stringContaining('Who are you?')])
})

each('consent', { always_asked: [200, 200, 200], remembered: [302, 200, 200] })(
  'permitting again, for another organization, as another person (S34, U9, RFC 6749 10.2)',
  async ({ tokens, visit, exchangeOf }) => {
    await tokens()
    const again = await visit({ state: 'another-state' })
    if (again.back) {
      expect(again.back.get('state')).toBe('another-state')
      expect(await exchangeOf(again.back.get('code') ?? '')).toBe(200)
    }
    const others = [await visit({ organization_id: '2002' }), await visit({}, 'ben')]
    for (const { status, html } of [again, ...others]) expect(html.includes('Permit')).toBe(status === 200)
    return [again, ...others].map(({ status }) => status)
  },
)

test('a request may omit redirect_uri and have unknown parameters (S103, U5, check 11, check 37)', async () => {
  const { visit, authorizePath } = start()
  for (const request of [
    { redirect_uri: undefined },
    { redirect_uri: '' },
    `${authorizePath()}&scope=all&scope=more&prompt=none`,
  ])
    expect((await visit(request)).html).toContain('Permit')
})

test('the state comes back exactly, with any visible ASCII (S54, check 7, RFC 6749 4.1.2)', async () => {
  const { answer } = start()
  const returned = async (choice: string, state: string) =>
    new URL(await answer(choice, { state })).searchParams.get('state')
  const unit = integer({ min: 32, max: 126 }).map((n) => String.fromCharCode(n))
  await assert(
    asyncProperty(string({ unit, minLength: 1 }), async (state) => {
      expect(await returned('permit', state)).toBe(state)
    }),
    { numRuns: 40 },
  )
  expect(await returned('deny', '% & + ~ /')).toBe('% & + ~ /')
  expect(await returned('permit', 'x'.repeat(2048))).toHaveLength(2048)
})

test.each([
  ['https://app.example/%20a', 'https://app.example/%20a?'],
  ['https://app.example/日本%20', 'https://app.example/%E6%97%A5%E6%9C%AC%20?'],
  ['https://app.example/cb?a=b%20c&d=e+f', 'https://app.example/cb?a=b%20c&d=e+f&'],
])(
  'a redirect to %s is encoded once, and keeps the query (S36, check 38, 5.3)',
  async (redirect_uri, begin) => {
    const known = seed()
    const applications = [{ ...known.applications[0]!, redirect_uri }]
    const { answer, question, visit, sandbox } = start({ seed: { ...known, applications } })
    expect((await answer('permit', { redirect_uri })).startsWith(`${begin}code=`)).toBe(true)
    expect((await visit({ redirect_uri, response_type: 'x' })).to?.startsWith(`${begin}error=`)).toBe(true)
    sandbox.control.changeChoices({ redirstatus: 'page_200' })
    const page = await (await question({ redirect_uri })).decide('permit')
    expect([page.status, page.headers.get('Refresh')?.startsWith(`0;url=${begin}code=`)]).toEqual([200, true])
  },
)

each('authzbad', {
  page_400: [400, 400],
  page_200: [200, 200],
  page_404: [404, 404],
  redirect_error: [`${CALLBACK} unauthorized_client`, 'https://x.example/ unauthorized_client'],
})('an unknown application, and an unknown redirect URI (U3)', async ({ visit, sandbox }, value) => {
  const seen: unknown[] = []
  for (const changes of [{ client_id: 'unknown' }, { redirect_uri: 'https://x.example/' }]) {
    const { status, to, back, headers } = await visit(changes, null)
    if (back) expect([status, back.get('state')]).toEqual([302, STATE])
    else expect(headers.get('Content-Type')).toMatch(/^text\/html/)
    seen.push(back ? `${to?.split('?')[0]} ${back.get('error')}` : status)
  }
  for (const redirect_uri of ['javascript:alert(1)', 'http://', 'https://x.example/\r\nX: y', undefined]) {
    const { status } = await visit({ client_id: 'unknown', redirect_uri }, null)
    expect(status).toBe(value === 'redirect_error' ? 400 : seen[0])
  }
  expect(sandbox.snapshot().codes).toEqual({})
  return seen
})

each('orgbad', {
  redirect_error: ['302 redirect'],
  page: ['400 invalid_request'],
  picker: ['200 Which organization'],
  default_organization: ['200 asks for access to Harbour Rope Works'],
})('an organization_id that is not one of the person (U10, 5.3)', async ({ visit }) => {
  const seen = new Set()
  for (const organization_id of [undefined, 'x', '999', '2002']) {
    const { status, back, html } = await visit({ organization_id }, 'ben')
    const [text] = /invalid_request|Which organization|asks for access to [\w ]+/.exec(html) ?? []
    seen.add(`${status} ${back ? 'redirect' : text}`)
  }
  expect((await visit({}, 'ben')).html).toContain('asks for access to Harbour Rope Works')
  return [...seen]
})

test('default_organization: a person without an organization is refused (U10, 5.3)', async () => {
  const people = seed().people.map((one) => ({ ...one, organizations: [] }))
  const { asked } = start({ choices: { orgbad: 'default_organization' }, seed: { ...seed(), people } })
  expect(await asked()).toBe('access_denied')
})

test('picker: each organization of the person has a link to its consent page (U10, 5.3)', async () => {
  const { visit, authorizePath } = start({ choices: { orgbad: 'picker' }, basePath: '/a/b' })
  const path = authorizePath({ organization_id: '7' })
  const links = [...(await visit(path)).html.matchAll(/<a href="([^"]+organization_id[^"]+)">([^<]+)/g)]
  expect(links.map(([, , name]) => name)).toEqual(['Harbour Rope Works', 'Meridian Shipping'])
  const { pathname, search } = new URL((links[1]?.[1] ?? '').replaceAll('&amp;', '&'), `${BASE}/a/b${path}`)
  const { html } = await visit(pathname.slice('/a/b'.length) + search)
  expect(html).toContain('asks for access to Meridian Shipping')
})

const read = (search: string, choices: Partial<Choices> = {}) => {
  const [query, whole] = [new URLSearchParams(search), { ...DEFAULT_CHOICES, ...choices }]
  return [findAuthorizationError(query, whole)?.error, stateOf(query, whole)]
}

test('the first error is reported, in the order of the steps (5.3, RFC 6749 4.1.2.1)', () => {
  expect(read('response_type=code&state=s')).toEqual([undefined, 's'])
  expect(read('response_type=x&response_type=x&state=s')[0]).toBe('invalid_request')
  expect(read('response_type=x&state=s')[0]).toBe('unsupported_response_type')
})

test.each<[Choices['statechars'], string, boolean, string?]>([
  ['vschar_2048', '~ '.repeat(1024), true],
  ['vschar_2048', 'x'.repeat(2049), false],
  ['vschar_2048', 'a\nb', false],
  ['vschar_2048', 'é', false],
  ['vschar_255', '~'.repeat(255), true],
  ['vschar_255', '~'.repeat(256), false],
  ['alphanumeric', 'aZ09', true],
  ['alphanumeric', 'a-z', false],
  ['plus_for_space', 'a b+c', true, 'a+b+c'],
  ['plus_for_space', 'x'.repeat(2049), false],
])(
  'statechars %s: the state %j is sent back or refused (U8, RFC 6749 A.5)',
  (statechars, state, isOne, back = state) => {
    const search = new URLSearchParams({ response_type: 'code', state }).toString()
    expect(read(search, { statechars })).toEqual(isOne ? [undefined, back] : ['invalid_request', undefined])
  },
)
