import { assert, asyncProperty, integer, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AUTHORIZATION_PARAMETERS } from '../../src/contract/authorize.ts'
import { CALLBACK, open, seed } from './_sandbox.ts'

type Opened = ReturnType<typeof open>

/** What a signed-in person's browser is answered. */
async function visit({ send, signIn }: Opened, path: string, person?: string) {
  const answer = await send(path, { headers: await signIn(person) })
  const location = answer.headers.get('Location')
  return {
    status: answer.status,
    location,
    back: location ? new URL(location).searchParams : undefined,
    html: await answer.text(),
  }
}

describe('a request whose application or redirect URI is not right leads nowhere', () => {
  test.each([
    ['an unknown client_id', { client_id: 'unknown' }, 'unknown_application'],
    ['no client_id', { client_id: undefined }, 'unknown_application'],
    ['an empty client_id', { client_id: '' }, 'unknown_application'],
    ['an extra query', { redirect_uri: `${CALLBACK}?a=b` }, 'redirect_uri_mismatch'],
    ['a slash at the end', { redirect_uri: `${CALLBACK}/` }, 'redirect_uri_mismatch'],
    ['another case', { redirect_uri: CALLBACK.toUpperCase() }, 'redirect_uri_mismatch'],
    ['another port', { redirect_uri: 'http://localhost:3001/callback' }, 'redirect_uri_mismatch'],
    ['a fragment', { redirect_uri: `${CALLBACK}#` }, 'redirect_uri_mismatch'],
    ['a script', { redirect_uri: 'javascript:alert(1)' }, 'redirect_uri_mismatch'],
  ])('%s: a page with 400, signed in or not (RFC 6749 4.1.2.1)', async (_, changes, code) => {
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
  })

  test.each(['client_id', 'redirect_uri'])('%s twice: a page with 400 (RFC 6749 3.1)', async (name) => {
    const opened = open()
    const path = opened.authorizePath()
    const value = new URL(path, CALLBACK).searchParams.get(name) ?? ''
    const { status, location } = await visit(opened, `${path}&${name}=${encodeURIComponent(value)}`)
    expect([status, location]).toEqual([400, null])
  })
})

test.each([
  ['a good request', {}],
  ['a request with a wrong response_type', { response_type: 'token' }],
  ['a request for a strange organization', { organization_id: '7' }],
])('%s sends nobody on who is not signed in (RFC 9700 4.11.2)', async (_, changes) => {
  const { send, authorizePath } = open()
  const answer = await send(authorizePath(changes))
  expect([answer.status, answer.headers.get('Location')]).toEqual([200, null])
  expect(await answer.text()).toContain('Who are you?')
})

describe('other faults are told to the application, with the state', () => {
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
  ])('%s (5.3, RFC 6749 4.1.2.1)', async (_, changes, error) => {
    const opened = open()
    const { status, location, back } = await visit(opened, opened.authorizePath(changes))
    expect(status).toBe(302)
    expect(location?.startsWith(`${CALLBACK}?`)).toBe(true)
    expect([back?.get('error'), back?.get('state')]).toEqual([error, 'a-state-of-some-length'])
    expect(back?.get('error_description')).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
    expect(back?.has('code')).toBe(false)
  })

  test('a person who is no member: access_denied, as for an organization that does not exist (5.3)', async () => {
    const opened = open()
    const strange = await visit(opened, opened.authorizePath({ organization_id: '2002' }), 'ben')
    const missing = await visit(opened, opened.authorizePath({ organization_id: '3' }), 'ben')
    expect(strange.back?.get('error')).toBe('access_denied')
    expect(strange.location).toBe(missing.location)
  })

  test.each(AUTHORIZATION_PARAMETERS.filter((name) => !['client_id', 'redirect_uri'].includes(name)))(
    '%s twice: invalid_request (RFC 6749 3.1)',
    async (name) => {
      const opened = open()
      const { back } = await visit(opened, `${opened.authorizePath()}&${name}=other`)
      expect(back?.get('error')).toBe('invalid_request')
      expect(back?.get('state')).toBe(name === 'state' ? null : 'a-state-of-some-length')
    },
  )

  test.each([
    ['a line break', 'a\nb'],
    ['a letter beyond ASCII', 'é'],
    ['2049 characters', 'x'.repeat(2049)],
  ])('a state with %s: invalid_request, and it is not sent back (RFC 6749 A.5)', async (_, state) => {
    const opened = open()
    const { back } = await visit(opened, opened.authorizePath({ state }))
    expect([back?.get('error'), back?.get('state')]).toEqual(['invalid_request', null])
  })
})

describe('a good request', () => {
  test('asks for permission, every time (4.1)', async () => {
    const opened = open()
    for (const _ of [1, 2]) {
      const { status, html } = await visit(opened, opened.authorizePath())
      expect([status, html.includes('Permit')]).toEqual([200, true])
      await opened.authorize()
    }
  })

  test('may leave redirect_uri out, and send an empty one or unknown parameters (RFC 6749 3.1)', async () => {
    const opened = open()
    for (const path of [
      opened.authorizePath({ redirect_uri: undefined }),
      opened.authorizePath({ redirect_uri: '' }),
      `${opened.authorizePath()}&scope=all&scope=more&prompt=none`,
    ])
      expect((await visit(opened, path)).html).toContain('Permit')
  })

  test('is for any organization of the person, wherever the application is registered (5.2)', async () => {
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

  test('gets its state back exactly, whatever visible ASCII it is (RFC 6749 4.1.2)', async () => {
    const opened = open()
    await assert(
      asyncProperty(
        string({
          unit: integer({ min: 32, max: 126 }).map((n) => String.fromCharCode(n)),
          minLength: 1,
        }),
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

  test('without a state gets none back (RFC 6749 4.1.2)', async () => {
    const { answer } = open()
    for (const choice of ['permit', 'deny'])
      expect(new URL(await answer(choice, { state: undefined })).searchParams.has('state')).toBe(false)
  })

  test('keeps the query of the registered URI as it stands (RFC 6749 3.1.2)', async () => {
    const known = seed()
    const redirect_uri = 'https://app.example/cb?a=b%20c&d=e+f'
    const opened = open({ seed: { ...known, applications: [{ ...known.applications[0]!, redirect_uri }] } })
    expect((await opened.answer('permit', { redirect_uri })).startsWith(`${redirect_uri}&code=`)).toBe(true)
    const { location } = await visit(opened, opened.authorizePath({ redirect_uri, response_type: 'x' }))
    expect(location?.startsWith(`${redirect_uri}&error=`)).toBe(true)
  })
})

test.each(['PUT', 'DELETE', 'OPTIONS'])(
  '%s on the authorization page answers 405 and Allow (RFC 9110 15.5.6)',
  async (method) => {
    const answer = await open().send('/oauth2/login', { method })
    expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'GET, HEAD, POST'])
  },
)
