import { expect, test } from 'vitest'
import { open, seed } from '../../kit/sandbox.ts'

test('the start page explains the sandbox, and shows the people and the pages of each organization', async () => {
  const answer = await open().send('/')
  const page = await answer.text()
  expect(answer.status).toBe(200)
  for (const text of [
    'Nothing here is real',
    'Ada Lindqvist',
    'administrator of Meridian Shipping',
    'href="./projects?organization_id=1001"',
    'href="./plan?organization_id=2002"',
  ])
    expect(page).toContain(text)
})

test('the start page shows no secret and no key (5.1, 5.2)', async () => {
  const page = await (await open().send('/')).text()
  const { applications, api_keys } = seed()
  for (const secret of [...applications.map((one) => one.client_secret), ...api_keys.map((one) => one.value)])
    expect(page).not.toContain(secret)
})

test('the project list has organization_id in its address, and shows it (5.3)', async () => {
  const { send, signIn } = open()
  const page = await (await send('/projects?organization_id=1001', { headers: await signIn() })).text()
  expect(page).toContain('organization_id=1001')
  expect(page).toContain('Mooring lines for the Kittiwake')
  expect(page).toContain('11 of 15 tasks done')
  expect(page).toContain('href="./plan?organization_id=1001"')
})

test.each(['?organization_id=2002', '?organization_id=9', '?organization_id=x', '?organization_id=', ''])(
  'the organization %s, of others or unknown, answers a page with 404 (5.3)',
  async (search) => {
    const { send, signIn } = open()
    const answer = await send(`/projects${search}`, { headers: await signIn('ben') })
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([404, 'text/html; charset=UTF-8'])
  },
)

test('names are escaped, and a project can have no tasks (RFC 6749 10.14)', async () => {
  const known = seed()
  const evil = '<img src=x onerror=alert(1)>'
  const project = { name: evil, lead: evil, open_tasks: 0, done_tasks: 0, due_on: evil }
  const organizations = known.organizations.map((one) => ({ ...one, name: evil, projects: [project] }))
  const { send, signIn } = open({ seed: { ...known, organizations } })
  const page = await (await send('/projects?organization_id=1001', { headers: await signIn() })).text()
  expect(page).not.toContain('<img')
  expect(page).toContain('0 of 0 tasks done')
})
