import { describe, expect, test } from 'vitest'
import type { Choices } from '../../../src/sandbox/choices/choices.ts'
import { ECHO_METHODS, ECHO_PATH } from '../../../src/sandbox/api/organization.ts'
import { BASE, open, rate } from '../../kit/sandbox.ts'

test('every 405 names the allowed methods (check 60, RFC 9110 15.5.6)', async () => {
  const { send, key } = open()
  for (const [path, method, allow] of [
    ['/organizations', 'PUT', 'GET, HEAD'],
    ['/rate_limit', 'POST', 'GET, HEAD'],
    ['/oauth2/token', 'GET', 'POST'],
    ['/plan', 'DELETE', 'GET, HEAD, POST'],
    ['/oauth2/permission', 'GET', 'POST'],
    ['/oauth2/login', 'DELETE', 'GET, HEAD, POST'],
  ] as const) {
    const answer = await send(path, { method, headers: key() })
    expect([answer.status, answer.headers.get('Allow')]).toEqual([405, allow])
  }
})

describe.each(['', '/a/b'])('mounted at "%s"', (basePath) => {
  test('links and redirects are relative and stay below it, with and without a slash at the end (S2, 0)', async () => {
    const { sandbox, signIn, post } = open({ basePath })
    const cookie = await signIn()
    for (const path of ['', '/', '/projects?organization_id=1001', '/plan?organization_id=1001']) {
      const address = BASE + basePath + path
      const page = await sandbox.fetch(new Request(address, { headers: cookie }))
      expect(page.status).toBe(200)
      for (const [, target = ''] of (await page.text()).matchAll(/(?:href|action|src)="([^"#]+)"/g)) {
        expect(target).toMatch(/^(\.|[a-z])/)
        const { pathname, origin } = new URL(target, address)
        expect([origin, pathname.startsWith(`${basePath}/`)]).toEqual([BASE, true])
      }
    }
    const redirect = await post('/projects?organization_id=1001', { person_id: 'ada' })
    expect(redirect.headers.get('Location')).toBe('projects?organization_id=1001')
  })
})

test('no version is named or needed, and nothing is sent anywhere (S104, 6) (S105, 9)', async () => {
  const { send, key } = open()
  const { headers } = await send('/organizations', {
    headers: { ...key(), Accept: 'application/vnd.service.v9' },
  })
  expect([...headers.keys()].filter((name) => /version|link|webhook|event/.test(name))).toEqual([])
  for (const path of ['/events', '/webhooks', '/notifications'])
    expect((await send(path, { headers: key() })).status).toBe(404)
})

test.each<[Choices['resources'], number]>([
  ['none', 404],
  ['echo', 200],
])('the choice %s answers %i to updates at the invented address (U52)', async (resources, status) => {
  const { send, key, sandbox } = open({ choices: { resources } })
  for (const method of ECHO_METHODS) {
    const answer = await send(ECHO_PATH, { method, headers: key(), body: 'a <b>' })
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject(
      status === 200 ? { method, echo: 'a <b>' } : { error: 'not_found' },
    )
    expect(rate(answer).limit).toBe(15)
  }
  expect(sandbox.snapshot().months['1001']?.count).toBe(ECHO_METHODS.length)
})

test('it takes updates with a valid credential and a body that is not too large (U52)', async () => {
  const { send, key } = open({ choices: { resources: 'echo' } })
  const read = await send(ECHO_PATH, { headers: key() })
  expect([read.status, read.headers.get('Allow')]).toEqual([405, 'POST, PATCH, PUT, DELETE'])
  expect((await send(ECHO_PATH, { method: 'POST', body: 'x' })).status).toBe(401)
  const body = 'x'.repeat(20_000)
  expect((await send(ECHO_PATH, { method: 'POST', headers: key(), body })).status).toBe(413)
})
