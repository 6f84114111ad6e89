import { expect, test } from 'vitest'
import { isApiKey } from '../../../src/contract/credential.ts'
import { PLANS } from '../../../src/contract/plan.ts'
import { derive } from '../../../src/sandbox/state/random.ts'
import { seedFor } from '../../../src/sandbox/state/seed.ts'

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

test('every seed is a new copy', () => {
  seedFor(bare).organizations.length = 0
  expect(seedFor(bare).organizations).toHaveLength(2)
})

test('the same seed and label give the same value, and others another (RFC 6749 10.10)', () => {
  const values = [derive('a', '1'), derive('a', '2'), derive('b', '1'), derive('a1', '')]
  expect(derive('a', '1')).toBe(values[0])
  expect(new Set(values).size).toBe(4)
})

test('a value has 256 bits in the alphabet of a bearer token (RFC 6750 2.1)', () => {
  expect(derive('a', '1')).toMatch(/^[A-Za-z0-9_-]{43}$/)
})
