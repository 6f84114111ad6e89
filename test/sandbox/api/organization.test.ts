import { expect, test } from 'vitest'
import { idOnWire } from '../../../src/sandbox/api/organization.ts'
import type { Choices } from '../../../src/sandbox/choices/choices.ts'
import { open } from '../../kit/sandbox.ts'

test('GET /organizations answers with the organization of the credential, as an object (S31, 4.4)', async () => {
  const { send, key, bearer } = open()
  for (const headers of [key(), await bearer()]) {
    const body = await (await send('/organizations', { headers })).json()
    expect(body).toMatchObject({ organization_id: 1001, name: 'Harbour Rope Works', plan: 'standard' })
  }
})

test('GET /organizations/{id} answers the same for the own organization (S32, 4.4)', async () => {
  const { send, bearer } = open()
  const headers = await bearer('2002')
  const [one, own] = [
    await send('/organizations/2002', { headers }),
    await send('/organizations', { headers }),
  ]
  expect(one.status).toBe(200)
  expect(await one.json()).toEqual(await own.json())
})

test('the body has the members with their roles, and values of every type (4.4)', async () => {
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

test.each(['2002', '999', '01001', '1001.0', '1e3', '%20', '1001x', '9'.repeat(40)])(
  'the id %s, of another organization or not an id, answers 404 (S5, 1) (S32, 4.4)',
  async (id) => {
    const { send, key } = open()
    const answer = await send(`/organizations/${id}`, { headers: key() })
    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({ error: 'not_found', error_description: expect.any(String) })
  },
)

test('another organization answers like one that does not exist, byte for byte (RFC 9110 15.5.4)', async () => {
  const { send, key } = open()
  const [theirs, none] = [
    await send('/organizations/2002', { headers: key() }),
    await send('/organizations/2003', { headers: key() }),
  ]
  expect(await theirs.text()).toBe(await none.text())
})

test.each<[Choices['wrongorg'], number, string | null]>([
  ['status_404', 404, null],
  ['status_403', 403, 'Bearer realm="api", error="insufficient_scope"'],
  ['served_200', 200, null],
])('the choice %s answers %i for another organization (U41)', async (wrongorg, status, challenge) => {
  const { send, key } = open({ choices: { wrongorg } })
  const answer = await send('/organizations/2002', { headers: key() })
  expect([answer.status, answer.headers.get('WWW-Authenticate')]).toEqual([status, challenge])
  expect(await answer.text()).toMatch(status === 200 ? /^\{"organization_id":2002,/ : /^\{"error":/)
  expect((await send('/organizations/2003', { headers: key() })).status).toBe(404)
})

const ID = { organization_id: 1001 }
test.each<[Choices['orgbody'], unknown, unknown]>([
  ['object', ID, ID],
  ['array', [ID], ID],
  ['in_organizations', { organizations: [ID] }, ID],
  ['in_organization', { organization: ID }, { organization: ID }],
  ['in_data', { data: [ID], meta: { total: 1 } }, { data: ID }],
])('the body can be wrapped as %s (U45)', async (orgbody, own, one) => {
  const { send, key } = open({ choices: { orgbody } })
  expect(await (await send('/organizations', { headers: key() })).json()).toMatchObject(own as object)
  expect(await (await send('/organizations/1001', { headers: key() })).json()).toMatchObject(one as object)
})

test.each<[Choices['orgid'], string, string]>([
  ['number', '1001', '1001'],
  ['digit_string', '1001', '"1001"'],
  ['beyond_2_53', '9000000000000002003', '9000000000000002003'],
])('the id can be a %s, in the address and in the body (U46)', async (orgid, inPath, inBody) => {
  const { send, key, bearer, sandbox } = open({ choices: { orgid } })
  const answer = await send(`/organizations/${inPath}`, { headers: key() })
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain(`"organization_id":${inBody},`)
  expect((await send(`/organizations/${inPath}`, { headers: await bearer(inPath) })).status).toBe(200)
  expect((await send('/organizations/1001', { headers: key() })).status).toBe(200)
  expect(idOnWire(sandbox.snapshot(), { id: 1001 })).toBe(inPath)
})

test.each(['/organizations/', '/organizations/1001/', '/organizations/1001/members', '/Organizations'])(
  'there is nothing at %s (S7, 1)',
  async (path) => {
    const { send, key } = open()
    expect((await send(path, { headers: key() })).status).toBe(404)
  },
)
