import { expect, test } from 'vitest'
import { isApiKey } from '../../../src/contract/credential.ts'
import { derive, parseSeed, seedFor } from '../../../src/sandbox/state/seed.ts'
import { createSeededState, firstState, ownValue, parseState } from '../../../src/sandbox/state/state.ts'
import { open, seed } from '../../kit/sandbox.ts'

const ENTRY = { number: 1, at_ms: 0, method: 'GET', path: '/', rule: 'served', cost: { month: 0 }, seen: {} }

test('a snapshot is a copy of any state of the sandbox, also after JSON', async () => {
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
  // It is checked at every depth, also where a time is a text.
  Object.assign(parsed.refresh_tokens[body['refresh_token'] ?? ''] ?? {}, { used_at_ms: 'abc' })
  expect(() => sandbox.control.restore(parsed)).toThrow('used_at_ms: ')
})

test('members that an older version did not have are filled in', () => {
  const { request_log: _, clock: __, reported: ___, ...older } = firstState(seed())
  expect(parseState(older)).toEqual(firstState(seed()))
})

test('a fault of a snapshot that says no number of times is one fault', () => {
  const faults = [{ operation: 'any', kind: 'reset' }]
  expect(parseState({ ...firstState(seed()), faults }).faults).toEqual([{ ...faults[0], times: 1 }])
})

const [application] = seed().applications
const [organization] = seed().organizations
const [key] = seed().api_keys

test.each([
  [{ organizations: undefined }, 'organizations: '],
  [{ more: 1 }, 'more: '],
  [{ random_count: -1 }, 'random_count: '],
  [{ request_log: [{}] }, 'request_log[0].number: '],
  [{ request_log: [{ ...ENTRY, at_ms: 1e300 }] }, 'request_log[0].at_ms: '],
  [{ clock: { offset_ms: 1e300 } }, 'clock.offset_ms: '],
  [{ clock: { offset_ms: 0, frozen_at_ms: -1e300 } }, 'clock.frozen_at_ms: '],
  [{ organizations: [organization, organization] }, 'organizations: Two of them have the same id'],
  [{ organizations: [organization] }, 'applications[0].organization_id: There is no such organization'],
])('a snapshot with %j is refused, and the error names the field', (members, message) => {
  const state = JSON.parse(JSON.stringify({ ...firstState(seed()), ...members }))
  expect(() => parseState(state)).toThrow(message)
})

test.each([
  [
    { applications: [{ ...application, redirect_uri: 'https://a.example/#x' }] },
    'applications[0].redirect_uri: ',
  ],
  [
    { applications: [{ ...application, redirect_uri: 'javascript:alert(1)' }] },
    'applications[0].redirect_uri: It must be an address with http or https, without #',
  ],
  [{ applications: [application, { ...application, name: 5 }] }, 'applications[1].name: '],
  [{ organizations: [{ ...organization, next_plan: { plan: 'gold' } }] }, 'organizations[0].next_plan: '],
  [{ organizations: [{ ...organization, plan: 'gold' }] }, 'organizations[0].plan: '],
  [{ api_keys: [{ ...key, value: 'a b' }] }, 'api_keys[0].value: '],
  // Unknown, of another organization, and left out.
  [{ api_keys: [{ ...key, issued_by: 'unknown' }] }, 'issued_by'],
  [{ api_keys: [{ ...key, issued_by: 'cleo' }] }, 'issued_by'],
  [{ people: seed().people.filter(({ id }) => id !== 'ada') }, 'issued_by'],
  [{ random: '' }, 'random: '],
  [{ nothing: [] }, 'nothing: '],
])('a seed with %j is refused, and the error names the field (check 38, 5.1)', (records, field) => {
  expect(() => parseSeed(records, seed())).toThrow(field)
})

test('a seed or snapshot that is refused changes nothing', () => {
  const seeded = createSeededState({ seed: seed() })
  const before = structuredClone(seeded.state)
  expect(() => seeded.seed({ people: [] })).toThrow('issued_by')
  expect(() => seeded.restore({ ...before, requests: -1 })).toThrow('requests')
  expect([seeded.state, seeded.currentSeed()]).toEqual([before, seed()])
})

test('a seed that is too deep to be copied is refused, and none to go back to', () => {
  const seeded = createSeededState({ seed: seed() })
  const load = (levels: number) => {
    const details = JSON.parse(`${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`)
    seeded.seed({ organizations: seed().organizations.map((one) => ({ ...one, details })) })
  }
  for (const levels of [101, 1500, 3000])
    expect(() => load(levels)).toThrow('organizations[0].details: It must be an object of at most 100 levels')
  expect(seeded.currentSeed()).toEqual(seed())
  load(100)
  expect(seeded.currentSeed()).toEqual({ ...seed(), organizations: seeded.state.organizations })
})

const bare = { publicUrl: 'http://localhost:3000', random: 'r' }

test('a seed without its public address or random text is refused, and the error names them', () => {
  for (const missing of ['publicUrl', 'random'])
    expect(() => seedFor({ ...bare, [missing]: undefined })).toThrow(`${missing}: `)
})

test('there is one organization of each plan with an administrator, none beyond its plan (1, 8.1)', () => {
  const { organizations, people, api_keys, applications } = seedFor(bare)
  const roles = people.flatMap((person) =>
    person.organizations.map(({ organization_id, role }) => `${role} ${organization_id}`),
  )
  expect(roles.toSorted()).toEqual(['administrator 1001', 'administrator 2002', 'member 1001', 'member 2002'])
  expect(people.filter((person) => person.organizations.length === 2)).toHaveLength(1)
  const of = (registered: { organization_id: number }[], id: number) =>
    registered.filter((one) => one.organization_id === id).length
  const counts = organizations.map(({ id, plan }) => [id, plan, of(api_keys, id), of(applications, id)])
  expect(counts).toEqual([
    [1001, 'standard', 1, 0],
    [2002, 'business', 1, 1],
  ])
})

test('the secret, client id, key and public address that are passed in are used (5.2)', () => {
  const handedIn = { clientId: 'id', clientSecret: 'secret', apiKey: 'key' }
  const { applications, api_keys } = seedFor({ ...bare, ...handedIn })
  const redirect_uri = 'http://localhost:3000/callback'
  const registered = { client_id: 'id', client_secret: 'secret', redirect_uri, organization_id: 2002 }
  expect(applications).toMatchObject([registered])
  expect(api_keys.find(({ organization_id }) => organization_id === 1001)?.value).toBe('key')
})

test('other values are derived: different, unguessable and repeatable (RFC 6749 10.10, RFC 6750 2.1)', () => {
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
  const values = [derive('a', '1'), derive('a', '2'), derive('b', '1'), derive('a1', '')]
  expect(derive('a', '1')).toBe(values[0])
  expect(new Set(values).size).toBe(4)
})

test('a record has its own members, and none that every object has', () => {
  const found = ['a', 'b', 'constructor', '__proto__', 'toString'].map((name) => ownValue({ a: 1 }, name))
  expect(found).toEqual([1, undefined, undefined, undefined, undefined])
})
