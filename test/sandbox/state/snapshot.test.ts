import { describe, expect, test } from 'vitest'
import { initialState, parseLimits, parseSeed, parseState } from '../../../src/sandbox/state/snapshot.ts'
import { firstState } from '../../../src/sandbox/state/state.ts'
import { open, seed } from '../../kit/sandbox.ts'

describe('parseState', () => {
  test('copies any state of the sandbox, also after JSON', async () => {
    const { sandbox, exchange, authorize, refresh, api, key } = open({ choices: { deny: 'page' } })
    const { body } = await exchange(await authorize())
    await refresh(body.refresh_token)
    await api(61, '/organizations', key())
    sandbox.control.clock.freeze()
    sandbox.control.addFault({ operation: 'any', kind: 'delay', ms: 5 })
    sandbox.control.changeLimits({ '1001': { per_month: null } })
    const state = JSON.parse(JSON.stringify(sandbox.snapshot()))
    const parsed = parseState(state, initialState(seed()))
    expect(parsed).toEqual(state)
    state.organizations.length = 0
    expect(parsed.organizations).toHaveLength(2)
  })

  test('fills in members that an older version did not have', () => {
    const { request_log: _, clock: __, reported: ___, ...older } = firstState(seed())
    expect(parseState(older, initialState(seed()))).toEqual(firstState(seed()))
  })

  test('names the mistake', () => {
    const first = initialState(seed())
    const { organizations: _, ...headless } = first
    const [organization] = first.organizations
    for (const [state, message] of [
      [headless, 'The snapshot has no organizations'],
      [{ ...first, more: 1 }, 'more is not a member of a snapshot'],
      [{ ...first, random_count: -1 }, 'random_count is not valid'],
      [{ ...first, organizations: [organization, organization] }, 'organizations has a duplicate'],
      [{ ...first, organizations: [organization] }, 'organization_id is not the id of an organization'],
    ] as const)
      expect(() => parseState(state, first)).toThrow(message)
  })
})

describe('parseSeed', () => {
  test('keeps the members that a seed does not name', () => {
    expect(parseSeed({ api_keys: [] }, seed())).toEqual({ ...seed(), api_keys: [] })
  })
})

describe('parseLimits', () => {
  test('accepts limits of organizations that exist', () => {
    const state = firstState(seed())
    const limits = { '1001': { read_per_minute: 1, per_month: null } }
    expect(parseLimits(limits, state)).toEqual(limits)
    expect(() => parseLimits({ '1': {} }, state)).toThrow('organization')
    expect(() => parseLimits({ '1001': { api_keys: 1.5 } }, state)).toThrow('per_month may be null')
  })
})

describe('initialState', () => {
  test('has the choices that are passed in, and no history', () => {
    expect(initialState(seed(), { deny: 'page' })).toMatchObject({ choices: { deny: 'page' }, requests: 0 })
  })
})

const [application] = seed().applications
const [key] = seed().api_keys
const FRAGMENT = 'https://a.example/callback#x'

test.each([
  ['the redirect URI', { redirect_uri: FRAGMENT }],
  ['a further redirect URI', { more_redirect_uris: [FRAGMENT] }],
])('a seed with a fragment in %s is refused (check 38, RFC 6749 3.1.2)', (_, changes) => {
  const applications = [{ ...application, ...changes }]
  expect(() => parseSeed({ applications }, seed())).toThrow('applications is not valid')
})

test.each([
  ['of an unknown person', { api_keys: [{ ...key, issued_by: 'unknown' }] }],
  ['of a person of another organization', { api_keys: [{ ...key, issued_by: 'cleo' }] }],
  ['of a person whom it leaves out', { people: seed().people.filter(({ id }) => id !== 'ada') }],
])('a seed with a key %s is refused (5.1)', (_, records) => {
  expect(() => parseSeed(records, seed())).toThrow('issued_by')
})
