import { describe, expect, test } from 'vitest'
import { findAuthorizationError, stateOf } from '../../../src/sandbox/authorize/authorization-error.ts'
import { DEFAULT_CHOICES, type Choices } from '../../../src/sandbox/choices/choices.ts'
import { open } from '../../kit/sandbox.ts'

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

  test('plus_for_space: a space comes back as a plus', async () => {
    const { answer } = open({ choices: { statechars: 'plus_for_space' } })
    expect(new URL(await answer('permit', { state: 'a b' })).searchParams.get('state')).toBe('a+b')
  })
})

test.each([
  ['accepted', undefined],
  ['refused', 'invalid_request'],
] as const)(
  'statemissing %s: without a state the error is %s (U7, RFC 6749 4.1.1)',
  (statemissing, error) => {
    for (const search of ['response_type=code', 'response_type=code&state='])
      expect(read(search, { statemissing })).toEqual([error, undefined])
  },
)

describe('authzother: other errors (U4, RFC 6749 4.1.2.1)', () => {
  const ERRORS = ['response_type=token', 'response_type=', 'response_type=code&state=one&state=two']
  test.each<[Choices['authzother'], number, (location: string | null) => boolean]>([
    ['redirect_error', 302, (location) => new URL(location ?? '').searchParams.has('error')],
    ['page_400', 400, (location) => location === null],
    ['ignored', 200, (location) => location === null],
  ])('%s answers %d', async (authzother, status, leads) => {
    const { send, signIn, authorizePath } = open({ choices: { authzother } })
    const usual = authorizePath({ response_type: undefined, state: undefined })
    for (const error of ERRORS) {
      const answer = await send(`${usual}&${error}`, { headers: await signIn() })
      expect([answer.status, leads(answer.headers.get('Location'))]).toEqual([status, true])
      expect((await answer.text()).includes('Permit')).toBe(authzother === 'ignored')
    }
  })

  test('ignored: the first of two states comes back, and a malformed one is still an error', () => {
    expect(read('response_type=x&state=one&state=two', { authzother: 'ignored' })).toEqual([undefined, 'one'])
    expect(read('state=%C3%A9', { authzother: 'ignored' })[0]).toBe('invalid_request')
  })
})
