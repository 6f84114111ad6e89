import { afterEach, expect, test, vi } from 'vitest'
import { AUTHORIZATION_ERRORS } from '../../../src/contract/authorize.ts'
import { Problem } from '../../../src/contract/problem.ts'
import { failedSignIn, failureWords, historyStateOf } from '../../../src/web/sign-in/failed-attempt.ts'

afterEach(() => history.replaceState(null, ''))
const fail = (code: Problem['code']) => ({ problem: new Problem(code), returnTo: '/' })

test('a failure is read from the history entry as it was stored (RFC 6749 4.1.2.1)', () => {
  const failed = {
    problem: new Problem('authorization_failed', { supportId: 'support-7' }),
    returnTo: '/organizations/1001',
    at: 'cookie',
    error: 'server_error',
    organizationId: '2002',
  } as const
  history.replaceState(historyStateOf(failed), '')
  expect(failedSignIn()).toEqual(failed)
  expect(failedSignIn()?.problem.supportId).toBe('support-7')
  history.replaceState(historyStateOf(fail('login_expired')), '')
  expect(failedSignIn()).toEqual(fail('login_expired'))
})

test.each([
  {},
  { code: 'no_such_code', returnTo: '/' },
  { code: 'access_denied', returnTo: '/', error: '<b>' },
  { code: 'access_denied', returnTo: '/', organizationId: '0' },
  { code: 'access_denied', returnTo: '/', at: 'home' },
])('the state %j of another version of the page is ignored', (state) => {
  history.replaceState({ 'plimsoll.failed-sign-in': state }, '')
  expect(failedSignIn()).toBeUndefined()
})

test('without a state there is no failure, and no return to another site (RFC 9700 4.11)', () => {
  expect(failedSignIn()).toBeUndefined()
  history.replaceState(
    { 'plimsoll.failed-sign-in': { code: 'access_denied', returnTo: '//evil.example' } },
    '',
  )
  expect(failedSignIn()?.returnTo).toBe('/')
})

test('each cause has its own words (RFC 6749 4.1.2.1)', () => {
  const titles = AUTHORIZATION_ERRORS.map((error) => [
    error,
    failureWords({ ...fail('authorization_failed'), error }).title,
  ])
  const refused = 'The service refused the request for access'
  expect(Object.fromEntries(titles)).toEqual({
    invalid_request: refused,
    unauthorized_client: refused,
    access_denied: refused,
    unsupported_response_type: refused,
    invalid_scope: refused,
    server_error: 'The service had a problem',
    temporarily_unavailable: 'The service had a problem',
  })
  expect(failureWords({ ...fail('authorization_failed'), error: 'invalid_scope' }).message).toContain(
    'invalid_scope',
  )
  expect(failureWords(fail('authorization_failed')).title).toBe('The service ended the sign-in')
})

test('a denial names the organization, if it is known', () => {
  expect(failureWords({ ...fail('access_denied'), organizationId: '2002' }).message).toBe(
    'The service gave no access: you pressed Deny, or you are not a member of organization 2002.',
  )
  expect(failureWords(fail('access_denied')).message).toContain('a member of the organization.')
})

test.each([
  ['http://[::1]:3000', true],
  ['http://localhost:3000', false],
  ['https://localhost:3000', false],
])('a missing cookie at %s is explained with Safari: %s (RFC 6265 5.4)', (origin, isExplained) => {
  vi.stubGlobal('location', { origin })
  expect(failureWords({ ...fail('state_mismatch'), at: 'cookie' }).message.includes('Safari')).toBe(
    isExplained,
  )
})
