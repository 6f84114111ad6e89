import { assert, asyncProperty, integer, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AUTHORIZATION_PARAMETERS } from '../../../src/contract/authorize.ts'
import { findAuthorizationError, stateOf } from '../../../src/sandbox/authorize/authorize.ts'
import { type Choices, DEFAULT_CHOICES } from '../../../src/sandbox/choices/choices.ts'
import { BASE, CALLBACK, open, seed } from '../../kit/sandbox.ts'

type Opened = ReturnType<typeof open>

async function get({ send, signIn }: Opened, path: string, person?: string) {
  const answer = await send(path, { headers: await signIn(person) })
  const location = answer.headers.get('Location')
  return {
    status: answer.status,
    location,
    back: location ? new URL(location).searchParams : undefined,
    html: await answer.text(),
  }
}

describe('a request with a wrong application or redirect URI is not redirected', () => {
  test.each([
    ['an unknown client_id', { client_id: 'unknown' }, 'unknown_application'],
    ['no client_id', { client_id: undefined }, 'unknown_application'],
    ['an extra query', { redirect_uri: `${CALLBACK}?a=b` }, 'redirect_uri_mismatch'],
    ['a slash at the end', { redirect_uri: `${CALLBACK}/` }, 'redirect_uri_mismatch'],
  ])(
    '%s: a page with 400 (S51, S52, check 1, check 2, check 3, check 4, check 37, RFC 6749 4.1.2.1)',
    async (_, changes, code) => {
      const opened = open()
      const path = opened.authorizePath(changes)
      for (const answer of [
        await opened.send(path),
        await opened.send(path, { headers: await opened.signIn() }),
      ]) {
        expect([answer.status, answer.headers.get('Location')]).toEqual([400, null])
        expect(answer.headers.get('Content-Type')).toMatch(/^text\/html/)
        expect(await answer.text()).toContain(code)
      }
    },
  )

  test.each(['client_id', 'redirect_uri'])(
    '%s twice: a page with 400 (check 10, RFC 6749 3.1)',
    async (name) => {
      const opened = open()
      const path = opened.authorizePath()
      const value = new URL(path, CALLBACK).searchParams.get(name) ?? ''
      const { status, location } = await get(opened, `${path}&${name}=${encodeURIComponent(value)}`)
      expect([status, location]).toEqual([400, null])
    },
  )
})

test.each([
  ['a good request', {}],
  ['a request with a wrong response_type', { response_type: 'token' }],
  ['a request for a strange organization', { organization_id: '7' }],
])('%s redirects no one who is not signed in (S29, check 45, RFC 9700 4.11.2)', async (_, changes) => {
  const { send, authorizePath } = open()
  const answer = await send(authorizePath(changes))
  expect([answer.status, answer.headers.get('Location')]).toEqual([200, null])
  expect(await answer.text()).toContain('Who are you?')
})

describe('other errors are reported to the application, with the state', () => {
  test.each([
    ['no response_type', { response_type: undefined }, 'invalid_request'],
    ['an empty response_type', { response_type: '' }, 'invalid_request'],
    ['response_type=token', { response_type: 'token' }, 'unsupported_response_type'],
    ['response_type=code token', { response_type: 'code token' }, 'unsupported_response_type'],
    ['no organization_id', { organization_id: undefined }, 'invalid_request'],
    ['an empty organization_id', { organization_id: '' }, 'invalid_request'],
    ['an organization_id that is no number', { organization_id: '1001x' }, 'invalid_request'],
    ['a negative organization_id', { organization_id: '-1001' }, 'invalid_request'],
    ['an organization_id with a zero in front', { organization_id: '01001' }, 'access_denied'],
    ['an organization that does not exist', { organization_id: '999' }, 'access_denied'],
  ])('%s (S53, S57, check 5, check 6, check 37, check 41, RFC 6749 4.1.2.1)', async (_, changes, error) => {
    const opened = open()
    const { status, location, back } = await get(opened, opened.authorizePath(changes))
    expect(status).toBe(302)
    expect(location?.startsWith(`${CALLBACK}?`)).toBe(true)
    expect([back?.get('error'), back?.get('state')]).toEqual([error, 'a-state-of-some-length'])
    expect(back?.get('error_description')).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
    expect(back?.has('code')).toBe(false)
  })

  test('an organization of others is answered as one that does not exist (U10, U41, 5.3)', async () => {
    const opened = open()
    const ofOthers = await get(opened, opened.authorizePath({ organization_id: '2002' }), 'ben')
    const unknown = await get(opened, opened.authorizePath({ organization_id: '3' }), 'ben')
    expect(ofOthers.location).toBe(unknown.location)
    expect(unknown.back?.get('error')).toBe('access_denied')
  })

  test.each(AUTHORIZATION_PARAMETERS.filter((name) => !['client_id', 'redirect_uri'].includes(name)))(
    '%s twice: invalid_request (check 10, RFC 6749 3.1)',
    async (name) => {
      const opened = open()
      const { back } = await get(opened, `${opened.authorizePath()}&${name}=other`)
      expect(back?.get('error')).toBe('invalid_request')
      expect(back?.get('state')).toBe(name === 'state' ? null : 'a-state-of-some-length')
    },
  )
})

describe('a good request', () => {
  test('asks for permission, every time (S34, U9, 4.1)', async () => {
    const opened = open()
    for (const _ of [1, 2]) {
      const { status, html } = await get(opened, opened.authorizePath())
      expect([status, html.includes('Permit')]).toEqual([200, true])
      await opened.authorize()
    }
  })

  test('may omit redirect_uri and have unknown parameters (S103, check 11, check 37, RFC 6749 3.1)', async () => {
    const opened = open()
    for (const path of [
      opened.authorizePath({ redirect_uri: undefined }),
      opened.authorizePath({ redirect_uri: '' }),
      `${opened.authorizePath()}&scope=all&scope=more&prompt=none`,
    ])
      expect((await get(opened, path)).html).toContain('Permit')
  })

  test('can be for any organization of the person, wherever the application is registered (S55, 5.2)', async () => {
    const { authorize, exchange, send } = open()
    for (const [organization_id, person] of [
      ['1001', 'ben'],
      ['2002', 'cleo'],
      ['2002', 'ada'],
    ] as const) {
      const { body } = await exchange(await authorize({ organization_id }, person))
      const headers = { Authorization: `Bearer ${body.access_token}` }
      expect(await (await send('/organizations', { headers })).json()).toMatchObject({
        organization_id: Number(organization_id),
      })
    }
  })

  test('gets its state back exactly, with any visible ASCII (S54, check 7, RFC 6749 4.1.2)', async () => {
    const opened = open()
    await assert(
      asyncProperty(
        string({ unit: integer({ min: 32, max: 126 }).map((n) => String.fromCharCode(n)), minLength: 1 }),
        async (state) => {
          const back = new URL(await opened.answer('permit', { state })).searchParams
          expect(back.get('state')).toBe(state)
        },
      ),
      { numRuns: 40 },
    )
    expect(new URL(await opened.answer('deny', { state: '% & + ~ /' })).searchParams.get('state')).toBe(
      '% & + ~ /',
    )
    expect(
      new URL(await opened.answer('permit', { state: 'x'.repeat(2048) })).searchParams.get('state'),
    ).toHaveLength(2048)
  })

  test('keeps the query of the registered URI unchanged (S36, check 38, RFC 6749 3.1.2)', async () => {
    const known = seed()
    const redirect_uri = 'https://app.example/cb?a=b%20c&d=e+f'
    const opened = open({ seed: { ...known, applications: [{ ...known.applications[0]!, redirect_uri }] } })
    expect((await opened.answer('permit', { redirect_uri })).startsWith(`${redirect_uri}&code=`)).toBe(true)
    const { location } = await get(opened, opened.authorizePath({ redirect_uri, response_type: 'x' }))
    expect(location?.startsWith(`${redirect_uri}&error=`)).toBe(true)
  })
})

test('the id in the address of the project list is the one for the request (S56, S57, 5.3)', async () => {
  const opened = open()
  const address = '/projects?organization_id=2002'
  expect((await get(opened, address)).html).toContain('Meridian Shipping')
  const organization_id = new URLSearchParams(address.split('?')[1]).get('organization_id') ?? ''
  expect((await get(opened, opened.authorizePath({ organization_id }))).html).toContain(
    'asks for access to Meridian Shipping',
  )
})

test.each([
  ['the sign-in page', {}, undefined],
  ['the permission page', {}, 'ada'],
  ['the error page', { client_id: 'unknown' }, 'ada'],
])(
  '%s is not framed, sends no referrer and loads nothing of others (check 33, check 47, check 48, RFC 6749 10.13, RFC 9700 2.6, 4.2.4)',
  async (_, changes, person) => {
    const { send, signIn, authorizePath } = open()
    const cookie = person ? await signIn(person) : {}
    const origin = { Origin: 'https://other.example' }
    const answer = await send(authorizePath(changes), { headers: { ...cookie, ...origin } })
    expect(answer.headers.get('X-Frame-Options')).toBe('DENY')
    expect(answer.headers.get('Content-Security-Policy')).toMatch(
      /default-src 'none'.*frame-ancestors 'none'/,
    )
    expect(answer.headers.get('Referrer-Policy')).toBe('no-referrer')
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(await answer.text()).not.toMatch(/(src|href)="(https?:)?\/\//)
  },
)

test('every page shows the values of a request as text (check 49, RFC 6749 10.14)', async () => {
  const opened = open({ choices: { orgbad: 'page' } })
  const evil = `"><script>alert(1)</script>`
  for (const changes of [
    { client_id: evil },
    { redirect_uri: evil },
    { state: evil },
    { organization_id: evil },
    { response_type: evil },
  ])
    for (const headers of [{}, await opened.signIn()])
      expect(await (await opened.send(opened.authorizePath(changes), { headers })).text()).not.toContain(
        '<script',
      )
})

describe('authzbad: an unknown application or redirect URI (U3, RFC 6749 4.1.2.1)', () => {
  test.each([
    ['page_400', 400],
    ['page_200', 200],
    ['page_404', 404],
  ] as const)('%s: a page with %d', async (authzbad, status) => {
    const { send, authorizePath } = open({ choices: { authzbad } })
    for (const changes of [{ client_id: 'unknown' }, { redirect_uri: 'https://x.example/' }]) {
      const answer = await send(authorizePath(changes))
      expect([answer.status, answer.headers.get('Location')]).toEqual([status, null])
      expect(answer.headers.get('Content-Type')).toMatch(/^text\/html/)
    }
  })

  test('redirect_error: it redirects to any http address in the request', async () => {
    const { send, authorizePath } = open({ choices: { authzbad: 'redirect_error' } })
    const answer = await send(authorizePath({ redirect_uri: 'https://x.example/cb' }))
    const back = new URL(answer.headers.get('Location') ?? '')
    expect([answer.status, back.origin, back.searchParams.get('state')]).toEqual([
      302,
      'https://x.example',
      'a-state-of-some-length',
    ])
    expect(back.searchParams.get('error')).toBe('unauthorized_client')
    for (const redirect_uri of ['javascript:alert(1)', 'http://', 'https://x.example/\r\nX: y', undefined])
      expect((await send(authorizePath({ client_id: 'unknown', redirect_uri }))).status).toBe(400)
  })
})

describe('orgbad: an organization_id that is not one of the person (U10, 5.3)', () => {
  const BAD = [undefined, 'x', '999', '2002']
  test.each([
    ['redirect_error', 302, /^$/],
    ['page', 400, /invalid_request/],
    ['picker', 200, /Which organization/],
    ['default_organization', 200, /asks for access to Harbour Rope Works/],
  ] as const)('%s answers %d', async (orgbad, status, text) => {
    const opened = open({ choices: { orgbad } })
    for (const organization_id of BAD) {
      const seen = await get(opened, opened.authorizePath({ organization_id }), 'ben')
      expect([seen.status, seen.html]).toEqual([status, expect.stringMatching(text)])
      expect(seen.back !== undefined).toBe(status === 302)
    }
    const good = await get(opened, opened.authorizePath(), 'ben')
    expect(good.html).toContain('asks for access to Harbour Rope Works')
  })

  test('default_organization: a person without an organization is refused', async () => {
    const known = seed()
    const people = known.people.map((one) => ({ ...one, organizations: [] }))
    const opened = open({ choices: { orgbad: 'default_organization' }, seed: { ...known, people } })
    const { back } = await get(opened, opened.authorizePath())
    expect(back?.get('error')).toBe('access_denied')
  })
})

describe('consent (U9, RFC 6749 10.2)', () => {
  test('remembered: the second time redirects with a code, for the same organization and person', async () => {
    const opened = open({ choices: { consent: 'remembered' } })
    await opened.exchange(await opened.authorize())
    const { status, back } = await get(opened, opened.authorizePath({ state: 'another-state' }))
    expect([status, back?.get('state')]).toEqual([302, 'another-state'])
    expect((await opened.exchange(back?.get('code') ?? '')).status).toBe(200)
    for (const [changes, person] of [
      [{ organization_id: '2002' }, 'ada'],
      [{}, 'ben'],
    ] as const)
      expect((await get(opened, opened.authorizePath(changes), person)).html).toContain('Permit')
  })
})

test('picker: each organization of the person has a link to its consent page (U10, 5.3)', async () => {
  const { send, signIn, authorizePath } = open({ choices: { orgbad: 'picker' }, basePath: '/a/b' })
  const headers = await signIn('ada')
  const path = authorizePath({ organization_id: '7', state: '"><script>' })
  const page = await (await send(path, { headers })).text()
  expect(page).not.toContain('<script')
  const links = [...page.matchAll(/<a href="([^"]+organization_id[^"]+)">([^<]+)/g)]
  expect(links.map(([, , name]) => name)).toEqual(['Harbour Rope Works', 'Meridian Shipping'])
  const { pathname, search } = new URL((links[1]?.[1] ?? '').replaceAll('&amp;', '&'), `${BASE}/a/b${path}`)
  const next = await send(pathname.slice('/a/b'.length) + search, { headers })
  expect(await next.text()).toContain('asks for access to Meridian Shipping')
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

test.each([
  ['a line break', 'a%0Ab'],
  ['a letter beyond ASCII', '%C3%A9'],
  ['2049 characters', 'x'.repeat(2049)],
])('a state with %s is refused, and not sent back (RFC 6749 A.5)', (_, state) => {
  expect(read(`response_type=code&state=${state}`)).toEqual(['invalid_request', undefined])
})

describe('statechars: the characters of a state (U8, RFC 6749 A.5)', () => {
  test.each<[Choices['statechars'], string, boolean, string?]>([
    ['vschar_2048', '~ '.repeat(1024), true],
    ['vschar_255', '~'.repeat(255), true],
    ['vschar_255', '~'.repeat(256), false],
    ['alphanumeric', 'aZ09', true],
    ['alphanumeric', 'a-z', false],
    ['plus_for_space', 'a b+c', true, 'a+b+c'],
    ['plus_for_space', 'x'.repeat(2049), false],
  ])('%s: %s', (statechars, state, isOne, returned = state) => {
    const search = new URLSearchParams({ response_type: 'code', state }).toString()
    expect(read(search, { statechars })).toEqual(
      isOne ? [undefined, returned] : ['invalid_request', undefined],
    )
  })
})
