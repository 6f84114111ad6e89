import { describe, expect, test } from 'vitest'
import { applicationsOf, keysOf, redirectUrisOf } from '../../../src/sandbox/state/registered.ts'
import { firstState, ownValue } from '../../../src/sandbox/state/state.ts'
import { seed } from '../../kit/sandbox.ts'

describe('firstState', () => {
  test('has the records of the seed, no history and no random material', () => {
    const { random, ...records } = seed()
    const state = firstState({ random, ...records })
    expect(state).toMatchObject({ ...records, random_count: 0, access_tokens: {}, months: {} })
    expect(JSON.stringify(state)).not.toContain(random)
  })
})

describe('ownValue', () => {
  test('finds own members, and none that every object has', () => {
    const record = { a: 1 }
    expect(['a', 'b', 'constructor', '__proto__', 'toString'].map((key) => ownValue(record, key))).toEqual([
      1,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })
})

test('the redirect URIs of an application begin with the first one (U17)', () => {
  expect(redirectUrisOf({ redirect_uri: 'a' })).toEqual(['a'])
  expect(redirectUrisOf({ redirect_uri: 'a', more_redirect_uris: ['b', 'c'] })).toEqual(['a', 'b', 'c'])
})

test('keys and applications are found by organization, and deleted keys are not (5.1, 5.2)', () => {
  const state = firstState(seed())
  expect(keysOf(state, 1001).map(({ description }) => description)).toEqual(['Nightly export'])
  expect(applicationsOf(state, 2002).map(({ client_id }) => client_id)).toEqual(['plimsoll'])
  expect(applicationsOf(state, 1001)).toEqual([])
  for (const key of state.api_keys) key.deleted_at_ms = 0
  expect(keysOf(state, 1001)).toEqual([])
})
