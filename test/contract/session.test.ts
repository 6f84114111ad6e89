import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  LONGEST_KEPT_ADDRESS,
  parseLoginRequest,
  parseStartedLogin,
  parseStartedRequest,
} from '../../src/contract/login.ts'
import { Problem } from '../../src/contract/problem.ts'
import { parseSession, parseSessionRequest } from '../../src/contract/session.ts'
import { parseOwnSessions } from '../../src/contract/sessions.ts'

const STATE = 'state-of-sixteen'
const VERIFIER = 'v'.repeat(43)
const problem = (code: string) => expect.objectContaining({ code })

test.each([
  { code: 'c', state: STATE },
  { code: 'c', state: STATE, code_verifier: VERIFIER },
  { code: 'c', state: STATE, code_verifier: 'AZaz09-._~'.repeat(12) + 'v'.repeat(8) },
  { api_key: 'k' },
])('a sign-in ends with %j (5.1.5, 5.3, RFC 7636 4.1)', (body) => {
  expect(parseSessionRequest(body)).toEqual(body)
})

const REFUSED: [body: object, code: string, fault: string | undefined][] = [
  [{}, 'state_mismatch', undefined],
  [{ code: 'c', state: 'short' }, 'state_mismatch', undefined],
  [{ state: STATE }, 'invalid_request', 'code_malformed'],
  ...['v'.repeat(42), 'v'.repeat(129), `${VERIFIER}=`, `=${VERIFIER}`, [VERIFIER], null, 7].map(
    (code_verifier): (typeof REFUSED)[number] => [
      { code: 'c', state: STATE, code_verifier },
      'invalid_request',
      'code_verifier_malformed',
    ],
  ),
  ...[{ code: 'c' }, { state: STATE }, { code_verifier: VERIFIER }, { code: 'c', state: STATE }].map(
    (others): (typeof REFUSED)[number] => [
      { api_key: 'k', ...others },
      'invalid_request',
      'api_key_beside_code',
    ],
  ),
  [{ api_key: 'k', organization_id: 7 }, 'invalid_request', 'unknown_member'],
  ...['two words', '', null, ['k'], 7].map((api_key): (typeof REFUSED)[number] => [
    { api_key },
    'key_rejected',
    'api_key_malformed',
  ]),
]

test.each(REFUSED)('a sign-in that ends with %j is refused: %s, %s (5.1.5, 5.3)', (body, code, fault) => {
  expect(() => parseSessionRequest(body)).toThrow(expect.objectContaining({ code, fault }))
})

const AUTHORIZE = {
  authorization_endpoint: 'https://tasks.example/oauth2/login',
  client_id: 'c',
  redirect_uri: 'https://app.example/callback',
}
const BY_OAUTH = {
  signed_in: true,
  id: 'a',
  method: 'oauth',
  organization_id: '7',
  ends_in: 60,
  plan_page: 'https://tasks.example/plan?organization_id=7',
  authorize: AUTHORIZE,
}
const BY_KEY = {
  signed_in: true,
  id: 'b',
  method: 'api_key',
  ends_in: 0,
  plan_page: 'http://127.0.0.1:4000/plan',
  authorize: AUTHORIZE,
}
const SIGNED_OUT = { signed_in: false, authorize: AUTHORIZE }
const OTHERS = [
  { id: 'c', method: 'oauth', organization_id: '9' },
  { id: 'd', method: 'api_key' },
]
const ORGANIZATION = { id: '1001', name: 'Harbour Rope Works' }
const SANDBOX = { control_url: 'http://127.0.0.1:4001', organizations: [ORGANIZATION, { id: '2', name: '' }] }

test.each([
  BY_OAUTH,
  BY_KEY,
  SIGNED_OUT,
  { ...SIGNED_OUT, authorize: { ...AUTHORIZE, code_challenge_method: 'S256' } },
  { ...SIGNED_OUT, ended: 'elsewhere', others: OTHERS },
  { ...BY_OAUTH, others: OTHERS, sandbox: SANDBOX },
  { ...SIGNED_OUT, sandbox: SANDBOX },
  { ...SIGNED_OUT, sandbox: { control_url: 'https://control.example/', organizations: [] } },
])('the page reads %j as a session, whatever other members it has (5)', (body) => {
  expect(parseSession(body)).toEqual(body)
  expect(parseSession({ ...body, browser: 'x' })).toEqual(body)
})

const without = (body: object, name: string) =>
  Object.fromEntries(Object.entries(body).filter(([other]) => other !== name))

test.each([
  undefined,
  null,
  'signed in',
  {},
  { ...BY_OAUTH, signed_in: 'yes' },
  { ...BY_OAUTH, method: 'password' },
  { ...BY_OAUTH, organization_id: 7 },
  { ...BY_OAUTH, organization_id: '0' },
  { ...BY_OAUTH, ends_in: -1 },
  { ...BY_OAUTH, ends_in: '60' },
  ...Object.keys(BY_OAUTH).map((name) => without(BY_OAUTH, name)),
  ...['/plan', 'javascript:alert(1)', 'data:text/html,http:', 7].map((plan_page) => ({
    ...BY_OAUTH,
    plan_page,
  })),
  without(SIGNED_OUT, 'authorize'),
  ...[
    {},
    [{ id: 'c' }],
    [{ method: 'api_key' }],
    [{ id: 'c', method: 'oauth' }],
    [{ ...OTHERS[1], id: 7 }],
  ].flatMap((others) => [
    { ...BY_OAUTH, others },
    { ...SIGNED_OUT, others },
  ]),
  ...Object.keys(AUTHORIZE).map((name) => ({ ...SIGNED_OUT, authorize: without(AUTHORIZE, name) })),
  { ...SIGNED_OUT, authorize: { ...AUTHORIZE, redirect_uri: '/callback' } },
  { ...SIGNED_OUT, authorize: { ...AUTHORIZE, code_challenge_method: 'plain' } },
  { ...SIGNED_OUT, sandbox: null },
  ...Object.keys(SANDBOX).map((name) => ({ ...SIGNED_OUT, sandbox: without(SANDBOX, name) })),
  ...['/control', 'javascript:alert(1)', 'data:text/html,http:', 7].map((control_url) => ({
    ...SIGNED_OUT,
    sandbox: { ...SANDBOX, control_url },
  })),
  ...[
    ORGANIZATION,
    [without(ORGANIZATION, 'id')],
    [without(ORGANIZATION, 'name')],
    [{ ...ORGANIZATION, id: 1001 }],
  ].map((organizations) => ({ ...SIGNED_OUT, sandbox: { ...SANDBOX, organizations } })),
  { ...SIGNED_OUT, ended: 'by itself' },
])('the page does not read %j as a session (5, RFC 3986 3.1, 4.3)', (body) => {
  expect(() => parseSession(body)).toThrow(problem('unexpected_reply'))
})

test('only id and name of an organization of the sandbox are read (5)', () => {
  const body = {
    ...SIGNED_OUT,
    sandbox: { ...SANDBOX, organizations: [{ ...ORGANIZATION, plan: 'standard' }] },
  }
  expect(parseSession(body)).toMatchObject({ sandbox: { organizations: [ORGANIZATION] } })
  expect(JSON.stringify(parseSession(body))).not.toContain('plan')
})

test('no value makes it throw anything else (5)', () => {
  fc.assert(
    fc.property(fc.anything(), (body) => {
      expect(() => parseSession(body)).toThrow(problem('unexpected_reply'))
    }),
  )
})

test('a sign-in begins with a state and an id, which may be a number (5.3)', () => {
  expect(parseLoginRequest({ state: STATE, organization_id: 7 })).toEqual({
    state: STATE,
    organization_id: '7',
  })
})

test('a state that is too short is refused with what it has to be (RFC 6749 A.5)', () => {
  expect(() => parseLoginRequest({ state: 'short', organization_id: 7 })).toThrow(
    expect.objectContaining({ fault: 'state_malformed' }),
  )
})

test.each([
  [{ state: STATE, organization_id: '0' }, 'invalid_organization_id'],
  [{ state: STATE }, 'invalid_organization_id'],
  [{ state: 'short', organization_id: 7 }, 'invalid_request'],
  [{ state: STATE, organization_id: 7, redirect_uri: 'https://evil.example' }, 'invalid_request'],
  [[STATE, 7], 'invalid_request'],
])('a sign-in that begins with %j is refused: %s (5.3)', (body, code) => {
  expect(() => parseLoginRequest(body)).toThrow(problem(code))
})

test('a sign-in may have the place to return to and its verifier with it (RFC 7636 4.1)', () => {
  const kept = { return_to: `/${'a'.repeat(LONGEST_KEPT_ADDRESS - 1)}`, code_verifier: VERIFIER }
  expect(parseLoginRequest({ state: STATE, organization_id: '7', ...kept })).toEqual({
    state: STATE,
    organization_id: '7',
    ...kept,
  })
})

test.each([
  [{ return_to: `/${'a'.repeat(LONGEST_KEPT_ADDRESS)}` }, 'return_to_malformed'],
  [{ return_to: 'https://evil.example/' }, 'return_to_malformed'],
  [{ return_to: '/a\r\nb' }, 'return_to_malformed'],
  [{ return_to: 7 }, 'return_to_malformed'],
  [{ code_verifier: 'short' }, 'code_verifier_malformed'],
  [{ code_verifier: null }, 'code_verifier_malformed'],
])('a sign-in with %j is refused: %s (RFC 9700 4.11)', (kept, fault) => {
  expect(() => parseLoginRequest({ state: STATE, organization_id: 7, ...kept })).toThrow(
    expect.objectContaining({ code: 'invalid_request', fault }),
  )
})

test('a sign-in is asked for by its state alone (RFC 6749 10.12)', () => {
  expect(parseStartedRequest({ state: STATE })).toBe(STATE)
  expect(() => parseStartedRequest({ state: 'short' })).toThrow(problem('state_mismatch'))
  expect(() => parseStartedRequest({ state: STATE, code: 'c' })).toThrow(problem('invalid_request'))
})

test('an answer about a sign-in names its organization and the place to return to', () => {
  const started = { organization_id: '7', return_to: '/a' }
  expect(parseStartedLogin(started)).toEqual(started)
  for (const body of [{}, { ...started, organization_id: 'x' }, { organization_id: '7' }, undefined])
    expect(() => parseStartedLogin(body)).toThrow(problem('unexpected_reply'))
})

const ONE = {
  id: 'an-id',
  opened_at: '2026-11-21T06:00:00.000Z',
  seen_at: '2026-11-21T15:00:00+09:00',
  browser: 'Firefox on Linux',
  current: true,
}

test('a list of sessions is read whole, and what is not known in it is left out (4)', () => {
  const body = {
    sessions: [
      { ...ONE, later: 1 },
      { ...ONE, current: false },
    ],
    next: 'a page',
  }
  expect(parseOwnSessions(body)).toEqual({ sessions: [ONE, { ...ONE, current: false }] })
  expect(parseOwnSessions({ sessions: [] })).toEqual({ sessions: [] })
})

test.each([
  ['no object', []],
  ['no list', { sessions: ONE }],
  ['no id', { sessions: [{ ...ONE, id: undefined }] }],
  ['an id that is a number', { sessions: [{ ...ONE, id: 1 }] }],
  ['no browser', { sessions: [{ ...ONE, browser: null }] }],
  ['a mark that is no boolean', { sessions: [{ ...ONE, current: 'true' }] }],
  ['a day without a time', { sessions: [{ ...ONE, opened_at: '2026-11-21' }] }],
  ['a time without a zone', { sessions: [{ ...ONE, opened_at: '2026-11-21T06:00:00' }] }],
  ['a month that there is not', { sessions: [{ ...ONE, seen_at: '2026-13-21T06:00:00Z' }] }],
  ['a number of milliseconds', { sessions: [{ ...ONE, seen_at: 1_795_240_800_000 }] }],
  ['text around an instant', { sessions: [{ ...ONE, seen_at: `at ${ONE.seen_at}` }] }],
])('a list with %s is not read (RFC 3339 5.6)', (_, body) => {
  expect(() => parseOwnSessions(body)).toThrow(new Problem('unexpected_reply'))
})
