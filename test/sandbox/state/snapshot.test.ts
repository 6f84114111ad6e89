import { describe, expect, test } from 'vitest'
import { isApiKey } from '../../../src/contract/credential.ts'
import { PLANS } from '../../../src/contract/plan.ts'
import { derive } from '../../../src/sandbox/state/seed.ts'
import { parseSeed, seedFor } from '../../../src/sandbox/state/seed.ts'
import { createSeededState } from '../../../src/sandbox/state/state.ts'
import { firstState, ownValue, parseState } from '../../../src/sandbox/state/state.ts'
import { open, seed } from '../../kit/sandbox.ts'

describe('parseState', () => {
  test('copies any state of the sandbox, also after JSON', async () => {
    const { sandbox, exchange, authorize, refresh, api, key } = open({ choices: { deny: 'page' } })
    const { body } = await exchange(await authorize())
    await refresh(body.refresh_token)
    await api(61, '/organizations', key())
    sandbox.control.moveClock({ do: 'freeze' })
    sandbox.control.addFault({ operation: 'any', kind: 'delay', ms: 5 })
    sandbox.control.changeLimits({ '1001': { per_month: null } })
    const state = JSON.parse(JSON.stringify(sandbox.snapshot()))
    const parsed = parseState(state)
    expect(parsed).toEqual(state)
    state.organizations.length = 0
    expect(parsed.organizations).toHaveLength(2)
  })

  test('fills in members that an older version did not have', () => {
    const { request_log: _, clock: __, reported: ___, ...older } = firstState(seed())
    expect(parseState(older)).toEqual(firstState(seed()))
  })

  test('names the mistake', () => {
    const first = firstState(seed())
    const { organizations: _, ...headless } = first
    const [organization] = first.organizations
    for (const [state, message] of [
      [headless, 'organizations: '],
      [{ ...first, more: 1 }, 'more: '],
      [{ ...first, random_count: -1 }, 'random_count: '],
      [
        { ...first, organizations: [organization, organization] },
        'organizations: Two of them have the same id',
      ],
      [
        { ...first, organizations: [organization] },
        'applications[0].organization_id: There is no such organization',
      ],
    ] as const)
      expect(() => parseState(state)).toThrow(message)
  })
})

const [application] = seed().applications
const [organization] = seed().organizations
const [key] = seed().api_keys

test.each([
  [
    { applications: [{ ...application, redirect_uri: 'https://a.example/#x' }] },
    'applications[0].redirect_uri: ',
  ],
  [{ applications: [application, { ...application, name: 5 }] }, 'applications[1].name: '],
  [{ organizations: [{ ...organization, next_plan: { plan: 'gold' } }] }, 'organizations[0].next_plan: '],
  [{ organizations: [{ ...organization, plan: 'gold' }] }, 'organizations[0].plan: '],
  [{ api_keys: [{ ...key, value: 'a b' }] }, 'api_keys[0].value: '],
  [{ random: '' }, 'random: '],
  [{ nothing: [] }, 'nothing: '],
])(
  'a seed with %j is refused, and the error names the field (check 38, RFC 6749 3.1.2)',
  (records, field) => {
    expect(() => parseSeed(records, seed())).toThrow(field)
  },
)

test('a snapshot is checked at every depth, also where a time is a text', async () => {
  const { sandbox, exchange, authorize } = open()
  const { body } = await exchange(await authorize())
  const state = sandbox.snapshot()
  Object.assign(state.refresh_tokens[body['refresh_token'] ?? ''] ?? {}, { used_at_ms: 'abc' })
  expect(() => sandbox.control.restore(state)).toThrow('used_at_ms: ')
})

test.each([
  ['of an unknown person', { api_keys: [{ ...key, issued_by: 'unknown' }] }],
  ['of a person of another organization', { api_keys: [{ ...key, issued_by: 'cleo' }] }],
  ['of a person whom it leaves out', { people: seed().people.filter(({ id }) => id !== 'ada') }],
])('a seed with a key %s is refused (5.1)', (_, records) => {
  expect(() => parseSeed(records, seed())).toThrow('issued_by')
})

const other = { applications: [], random: 'another' }

test('a reset goes back to the last seed, an empty seed to that of the first start', () => {
  const seeded = createSeededState({ seed: seed(), choices: { deny: 'page' } })
  const first = structuredClone(seeded.state)
  seeded.seed(other)
  seeded.state.requests = 5
  seeded.reset()
  expect(seeded.state).toEqual({ ...first, applications: [] })
  expect(seeded.currentSeed()).toEqual({ ...seed(), ...other })
  seeded.seed({})
  expect([seeded.state, seeded.currentSeed()]).toEqual([first, seed()])
})

test('a second seed is based on that of the first start, not on the one before it', () => {
  const seeded = createSeededState({ seed: seed() })
  seeded.seed(other)
  seeded.seed({ api_keys: [] })
  expect(seeded.currentSeed()).toEqual({ ...seed(), api_keys: [] })
})

test('a later start takes the state and the current seed of an earlier one', () => {
  const earlier = createSeededState({ seed: seed() })
  earlier.seed(other)
  earlier.state.requests = 5
  const later = createSeededState({
    seed: seed(),
    currentSeed: earlier.currentSeed(),
    earlier: earlier.state,
  })
  expect(later.state).toEqual(earlier.state)
  later.reset()
  expect(later.state).toMatchObject({ applications: [], requests: 0 })
})

test('a seed or snapshot that is refused changes nothing', () => {
  const seeded = createSeededState({ seed: seed() })
  const before = structuredClone(seeded.state)
  expect(() => seeded.seed({ people: [] })).toThrow('issued_by')
  expect(() => seeded.restore({ ...before, requests: -1 })).toThrow('requests')
  expect([seeded.state, seeded.currentSeed()]).toEqual([before, seed()])
})

const bare = { publicUrl: 'http://localhost:3000', random: 'r' }

test('there is one organization of each plan, 1001 and 2002, and each has an administrator (1)', () => {
  const { organizations, people } = seedFor(bare)
  expect(organizations.map(({ id, plan }) => [id, plan])).toEqual([
    [1001, 'standard'],
    [2002, 'business'],
  ])
  const roles = people.flatMap((person) =>
    person.organizations.map(({ organization_id, role }) => `${role} ${organization_id}`),
  )
  expect(roles.toSorted()).toEqual(['administrator 1001', 'administrator 2002', 'member 1001', 'member 2002'])
  expect(people.filter((person) => person.organizations.length === 2)).toHaveLength(1)
})

test('no organization has more keys or applications than its plan allows (8.1)', () => {
  const { organizations, api_keys, applications } = seedFor(bare)
  for (const { id, plan } of organizations) {
    const of = (registered: { organization_id: number }[]) =>
      registered.filter((one) => one.organization_id === id).length
    expect(of(api_keys)).toBe(1)
    expect(of(applications)).toBeLessThanOrEqual(PLANS[plan].oauth_applications)
  }
})

test('the secret, client id, key and public address that are passed in are used (5.2)', () => {
  const handedIn = { clientId: 'id', clientSecret: 'secret', apiKey: 'key' }
  const { applications, api_keys } = seedFor({ ...bare, ...handedIn })
  expect(applications).toMatchObject([
    {
      client_id: 'id',
      client_secret: 'secret',
      redirect_uri: 'http://localhost:3000/callback',
      organization_id: 2002,
    },
  ])
  expect(api_keys.find(({ organization_id }) => organization_id === 1001)?.value).toBe('key')
})

test('other values are derived: different, unguessable and repeatable (RFC 6749 10.10)', () => {
  const secrets = (random: string) => {
    const { applications, api_keys } = seedFor({ ...bare, random, clientId: undefined })
    return [
      ...applications.flatMap((one) => [one.client_id, one.client_secret]),
      ...api_keys.map(({ value }) => value),
    ]
  }
  const [one, other] = [secrets('r'), secrets('s')]
  expect(secrets('r')).toEqual(one)
  expect(new Set([...one, ...other]).size).toBe(8)
  for (const secret of one.slice(1)) expect(secret).toMatch(/^[\w-]{43}$/)
  expect(one.every(isApiKey)).toBe(true)
})

test('the same seed and label give the same value, and others another (RFC 6749 10.10)', () => {
  const values = [derive('a', '1'), derive('a', '2'), derive('b', '1'), derive('a1', '')]
  expect(derive('a', '1')).toBe(values[0])
  expect(new Set(values).size).toBe(4)
})

test('a value has 256 bits in the alphabet of a bearer token (RFC 6750 2.1)', () => {
  expect(derive('a', '1')).toMatch(/^[A-Za-z0-9_-]{43}$/)
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
