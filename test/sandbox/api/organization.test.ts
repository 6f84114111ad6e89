import { expect, test } from 'vitest'
import { ECHO_METHODS, ECHO_PATH, idOnWire } from '../../../src/sandbox/api/organization.ts'
import { rate, seed } from '../../kit/sandbox.ts'
import { each, type Start, start } from '../_start.ts'

const bodyOf = async ({ send }: Start, path: string, headers: Record<string, string>) =>
  (await send(path, { headers })).json()

test('both reads answer with the organization of the credential and its members (S31, S32, S55, 4.4)', async () => {
  const there = start()
  const body = await bodyOf(there, '/organizations', there.key())
  expect(body).toMatchObject({
    organization_id: 1001,
    name: 'Harbour Rope Works',
    plan: 'standard',
    members: [
      { id: 'ada', name: 'Ada Lindqvist', role: 'administrator' },
      { id: 'ben', name: 'Ben Achterberg', role: 'member' },
    ],
    website: null,
    settings: { notifications: { daily_digest: true } },
  })
  expect(body.description.length).toBeGreaterThan(120)
  expect(await bodyOf(there, '/organizations', await there.bearer())).toEqual(body)
  expect(await bodyOf(there, '/organizations/1001', await there.bearer())).toEqual(body)
  const business = await there.bearer('2002')
  expect(await bodyOf(there, '/organizations/2002', business)).toMatchObject({ organization_id: 2002 })
})

each('wrongorg', {
  status_404: [404, null, 'not_found'],
  status_403: [403, 'Bearer realm="api", error="insufficient_scope"', 'insufficient_scope'],
  served_200: [200, null, 2002],
})('the answer for another organization (S5, U41)', async ({ send, status, key }) => {
  const answer = await send('/organizations/2002', { headers: key() })
  const { error, organization_id } = await answer.json()
  expect(await status('/organizations/2003', key())).toBe(404)
  return [answer.status, answer.headers.get('WWW-Authenticate'), error ?? organization_id]
})

const ID = expect.objectContaining({ organization_id: 1001 })
each('orgbody', {
  object: [ID, ID],
  array: [[ID], ID],
  in_organizations: [{ organizations: [ID] }, ID],
  in_organization: [{ organization: ID }, { organization: ID }],
  in_data: [{ data: [ID], meta: { total: 1 } }, { data: ID }],
})('the bodies of both reads (U45)', async (there) => [
  await bodyOf(there, '/organizations', there.key()),
  await bodyOf(there, '/organizations/1001', there.key()),
])

each('orgid', {
  number: ['1001', '1001'],
  digit_string: ['1001', '"1001"'],
  beyond_2_53: ['9000000000000002003', '9000000000000002003'],
})('the id in the address and in the body (U46)', async ({ send, status, key, bearer, sandbox }) => {
  const id = idOnWire(sandbox.snapshot(), { id: 1001 })
  const answer = await send(`/organizations/${id}`, { headers: key() })
  expect(answer.status).toBe(200)
  expect(await status(`/organizations/${id}`, await bearer(id))).toBe(200)
  expect(await status('/organizations/1001', key())).toBe(200)
  return [id, /^\{"organization_id":([^,]+),/.exec(await answer.text())?.[1]]
})

test('no version is named or needed, and nothing is sent anywhere (S104, S105, 6, 9)', async () => {
  const { send, status, key } = start()
  const sent = { ...key(), Accept: 'application/vnd.service.v9' }
  const { headers } = await send('/organizations', { headers: sent })
  expect([...headers.keys()].filter((name) => /version|link|webhook|event/.test(name))).toEqual([])
  for (const path of ['/events', '/webhooks', '/notifications']) expect(await status(path, key())).toBe(404)
})

each('resources', { none: 404, echo: 200 })(
  'updates at the invented address are answered, and counted (U52)',
  async ({ send, key, month }, value) => {
    const statuses = new Set<number>()
    for (const method of ECHO_METHODS) {
      const answer = await send(ECHO_PATH, { method, headers: key(), body: 'a <b>' })
      statuses.add(answer.status)
      const body = value === 'echo' ? { method, echo: 'a <b>' } : { error: 'not_found' }
      expect(await answer.json()).toMatchObject(body)
      expect(rate(answer).limit).toBe(15)
    }
    expect([statuses.size, month()]).toEqual([1, ECHO_METHODS.length])
    return [...statuses][0]
  },
)

test('it takes updates with a valid credential (U52)', async () => {
  const { send, key } = start({ choices: { resources: 'echo' } })
  const read = await send(ECHO_PATH, { headers: key() })
  expect([read.status, read.headers.get('Allow')]).toEqual([405, 'POST, PATCH, PUT, DELETE'])
  expect((await send(ECHO_PATH, { method: 'POST', body: 'x' })).status).toBe(401)
})

test('the details of a record replace none of its own members (4.4)', async () => {
  const own = { organization_id: 7, name: 'x', plan: 'x', members: 'x', more: 1 }
  const organizations = seed().organizations.map((one) => ({ ...one, details: own }))
  const { send, key } = start({ seed: { ...seed(), organizations } })
  const body = await (await send('/organizations', { headers: key() })).json()
  expect(body).toMatchObject({ organization_id: 1001, name: 'Harbour Rope Works', plan: 'standard', more: 1 })
  expect(body.members).toHaveLength(2)
})
