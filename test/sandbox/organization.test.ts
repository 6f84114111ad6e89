import { describe, expect, test } from 'vitest'
import { isMember, organizationById } from '../../src/sandbox/organization.ts'
import { open, seed } from './_sandbox.ts'

test('GET /organizations answers the organization of the credential, as an object (4.4)', async () => {
  const { send, key, bearer } = open()
  for (const headers of [key(), await bearer()]) {
    const body = await (await send('/organizations', { headers })).json()
    expect(body).toMatchObject({ organization_id: 1001, name: 'Harbour Rope Works', plan: 'standard' })
  }
})

test('GET /organizations/{id} answers the same of its own organization (4.4)', async () => {
  const { send, bearer } = open()
  const headers = await bearer('2002')
  const [one, own] = [
    await send('/organizations/2002', { headers }),
    await send('/organizations', { headers }),
  ]
  expect(one.status).toBe(200)
  expect(await one.json()).toEqual(await own.json())
})

test('the body has its members with their roles, and values of all sorts (4.4)', async () => {
  const { send, key } = open()
  const body = await (await send('/organizations', { headers: key() })).json()
  expect(body.members).toEqual([
    { id: 'ada', name: 'Ada Lindqvist', role: 'administrator' },
    { id: 'ben', name: 'Ben Achterberg', role: 'member' },
  ])
  expect(body.website).toBeNull()
  expect(body.settings.notifications.daily_digest).toBe(true)
  expect(body.description.length).toBeGreaterThan(120)
})

test.each(['2002', '999', '01001', '1001.0', '1e3', 'abc', '+1001', '%20', '1001x', '9'.repeat(40)])(
  'of another organization, or where the id is none, the answer is 404: %s (4.4, 5.3)',
  async (id) => {
    const { send, key } = open()
    const answer = await send(`/organizations/${id}`, { headers: key() })
    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({ error: 'not_found', error_description: expect.any(String) })
  },
)

test('another organization answers as one that is not there, byte for byte (RFC 9110 15.5.4)', async () => {
  const { send, key } = open()
  const [theirs, none] = [
    await send('/organizations/2002', { headers: key() }),
    await send('/organizations/2003', { headers: key() }),
  ]
  expect(await theirs.text()).toBe(await none.text())
})

test('another organization has a status of its own where that is chosen (5.3)', async () => {
  const { send, key } = open({ choices: { other_organization_status: 403 } })
  expect((await send('/organizations/2002', { headers: key() })).status).toBe(403)
  expect((await send('/organizations/2003', { headers: key() })).status).toBe(404)
})

test.each(['/organizations/', '/organizations/1001/', '/organizations/1001/members', '/Organizations'])(
  'there is nothing at %s (4)',
  async (path) => {
    const { send, key } = open()
    expect((await send(path, { headers: key() })).status).toBe(404)
  },
)

describe('organizationById', () => {
  test('knows an id by its digits only (5.3)', () => {
    expect(organizationById(seed(), '1001')?.plan).toBe('standard')
    for (const id of ['01001', '1001 ', '1e3', '', 'constructor'])
      expect(organizationById(seed(), id)).toBeUndefined()
  })
})

describe('isMember', () => {
  test('holds in the organizations of the person only (5.3)', () => {
    const { people, organizations } = seed()
    const memberships = people.map((person) => organizations.map((one) => isMember(person, one)))
    expect(memberships).toEqual([
      [true, true],
      [true, false],
      [false, true],
    ])
  })
})
