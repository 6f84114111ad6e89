import { expect, test } from 'vitest'
import { ACTIONS } from '../../../src/sandbox/control/routes.ts'
import { BASE, CALLBACK, CLIENT, seed } from '../../kit/sandbox.ts'
import { openControl } from '../_control.ts'

const ADA = { person: 'ada', organization_id: 1001 }
const APPLICATION = { organization_id: 1001, name: 'x' }

test('tokens are issued without a page, and work as those of a code (2.1, 5.4)', async () => {
  const opened = openControl()
  const answer = await opened.json('POST', '/tokens', ADA)
  const tokens = await answer.json()
  expect([answer.status, tokens]).toEqual([
    200,
    {
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.any(String),
    },
  ])
  const headers = { Authorization: `Bearer ${tokens.access_token}` }
  expect((await opened.send('/organizations/1001', { headers })).status).toBe(200)
  expect((await opened.refresh(tokens.refresh_token)).status).toBe(200)
  expect(opened.control.requestLog()[0]).toMatchObject({ rule: 'minted', path: '/tokens' })
})

test('codes, keys and applications are issued without a page too (2.3, 5.3)', async () => {
  const opened = openControl()
  const { code, redirect_uri } = await (await opened.json('POST', '/codes', ADA)).json()
  expect([(await opened.exchange(code)).status, redirect_uri]).toEqual([200, CALLBACK])
  const { value } = await (await opened.json('POST', '/api-keys', { organization_id: 1001 })).json()
  const headers = { 'X-Service-Api-Key': value }
  expect((await opened.send('/organizations', { headers })).status).toBe(200)
  const wanted = { organization_id: 1001, name: 'Tides', redirect_uri: 'https://tides.example/back' }
  const application = await (await opened.json('POST', '/applications', wanted)).json()
  const minted = await opened.json('POST', '/codes', { ...ADA, application: application.client_id })
  const sent = { ...application, name: undefined, organization_id: undefined }
  expect((await opened.exchange((await minted.json()).code, sent)).status).toBe(200)
})

test.each([
  ['/tokens', { ...ADA, person: 'zoe' }, 'person: '],
  ['/tokens', { ...ADA, organization_id: 7 }, 'organization_id: '],
  ['/codes', { ...ADA, application: 'x' }, 'application: '],
  ['/codes', { person: 'ada' }, 'organization_id: It is missing'],
  ['/tokens', { ...ADA, client_id: 'x' }, 'client_id: There is no such member'],
  ['/api-keys', { organization_id: 1001, person: 'cleo' }, 'organization_id: '],
  ['/api-keys', { organization_id: 7 }, 'organization_id: '],
  ['/applications', { ...APPLICATION, redirect_uri: '/x' }, 'redirect_uri: '],
  ['/applications', { ...APPLICATION, redirect_uri: 'javascript:alert(1)' }, 'redirect_uri: '],
])('what %s cannot issue for %j is refused, and named (2.3)', async (path, body, field) => {
  const opened = openControl()
  const before = opened.control.snapshot()
  const answer = await opened.json('POST', path, body)
  expect([answer.status, (await answer.json()).error_description]).toEqual([
    400,
    expect.stringContaining(field),
  ])
  expect(opened.control.snapshot()).toEqual(before)
})

test('the ledger is filtered, and an unknown filter is named', async () => {
  const opened = openControl()
  await opened.send('/organizations', { headers: opened.key() })
  await opened.send('/nothing')
  const paths = async (search: string) =>
    (await (await opened.ask(`/ledger${search}`)).json()).map(({ path }: { path: string }) => path)
  expect(await paths('?organization_id=1001&status=200')).toEqual(['/organizations'])
  expect(await paths('?verdict=any')).toEqual(['/nothing'])
  expect(await paths('?after=1')).toEqual(['/nothing'])
  expect((await opened.ask('/ledger?paths=/')).status).toBe(400)
})

test('expectations are met with 200, or answered 409 with the difference', async () => {
  const opened = openControl()
  await opened.exchange(await opened.authorize())
  const met = [
    { path: '/oauth2/token', exactly: 1 },
    { verdict: 'any', exactly: 0 },
    { method: 'GET', at_most: 3 },
  ]
  expect((await opened.json('POST', '/verify', met)).status).toBe(200)
  const answer = await opened.json('POST', '/verify', [...met, { path: '/rate_limit', at_least: 1 }])
  const differences = [{ expected: { path: '/rate_limit', at_least: 1 }, found: 0, entries: [] }]
  expect([answer.status, await answer.json()]).toEqual([409, { differences }])
})

test.each([
  [{ verdict: 'refresh_token_used_twic', exactly: 0 }, '[1].verdict: '],
  [{ method: 'post', exactly: 0 }, '[1].method: It must be in capitals'],
  [{ path: 'oauth2/token', exactly: 0 }, '[1].path: It must begin with /'],
  [{ status: '200', exactly: 0 }, '[1].status: '],
  [{ exact: 0 }, '[1].exact: There is no such member'],
])('an expectation that nothing can meet, %j, is refused, and named', async (expectation, field) => {
  const { json } = openControl()
  const answer = await json('POST', '/verify', [{ verdict: 'any', exactly: 0 }, expectation])
  expect([answer.status, (await answer.json()).error_description]).toEqual([
    400,
    expect.stringContaining(field),
  ])
})

test('an expectation without a number is refused, and one that needs entries which were dropped', async () => {
  const opened = openControl()
  const verify = async (expectation: object) => {
    const answer = await opened.json('POST', '/verify', [expectation])
    return `${answer.status} ${(await answer.json()).error_description ?? ''}`
  }
  expect(await verify({ path: '/rate_limit' })).toMatch(/^400 .*exactly, at_least or at_most/)
  const none = { path: '/rate_limit', exactly: 0 }
  for (let nth = 0; nth < 2000; nth += 1) await opened.send('/healthz/')
  expect(await verify(none)).toBe('200 ')
  await opened.send('/healthz/')
  expect(await verify(none)).toMatch(/^400 .*newest 2,000/)
  expect(await verify({ ...none, after: 1 })).toBe('200 ')
  opened.control.clearRequestLog()
  expect(await verify(none)).toBe('200 ')
})

test('both OpenAPI documents describe every route, with unique names', async () => {
  const { ask, send, sandbox } = openControl({ seed: seed() })
  const control = await (await ask('/openapi.json')).json()
  const described = Object.entries<object>(control.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(described.toSorted()).toEqual(
    Object.values(ACTIONS)
      .map(({ at }) => at)
      .toSorted(),
  )
  const ids = Object.values<object>(control.paths).flatMap((methods) =>
    Object.values<{ operationId: string }>(methods as never).map(({ operationId }) => operationId),
  )
  expect(new Set(ids).size).toBe(ids.length)
  const statuses = Object.keys(control.paths['/clock'].post.responses)
  expect(statuses).toEqual(expect.arrayContaining(['401', '403', '413', '415']))
  const service = await (await send('/openapi.json')).json()
  expect(service.openapi).toBe('3.1.0')
  for (const path of Object.keys(service.paths))
    expect(sandbox.paths()).toContain(path.replace('{organization_id}', ':id'))
})

test('a choice in the document has its number and the meaning of its values, as OpenAPI 3.1 allows', async () => {
  const { paths } = await (await openControl().ask('/openapi.json')).json()
  const { properties } = paths['/profile'].patch.requestBody.content['application/json'].schema
  const schemas = Object.values<object>(properties)
  expect(schemas).toHaveLength(53)
  for (const schema of schemas)
    expect(Object.keys(schema).toSorted()).toEqual(['default', 'enum', 'type', 'x-number', 'x-values'])
})

test('a client made from the documents calls the same sandbox, with its key header (5.1)', async () => {
  const opened = openControl({ basePath: '/a', apiKeyHeader: 'X-Key' })
  const service = await (await opened.send('/openapi.json')).json()
  const control = await (await opened.ask('/a/openapi.json')).json()
  for (const { servers } of [service, control])
    expect(new URL(servers[0].url, `${BASE}/a/openapi.json`).href).toBe(`${BASE}/a/`)
  expect(service.components.securitySchemes.api_key.name).toBe('X-Key')
})

test('the refusals of the service are those of its OpenAPI document (5.3, 8.4.2, RFC 6749 5.2)', async () => {
  const opened = openControl()
  const { paths } = await (await opened.send('/openapi.json')).json()
  const cookie = await opened.signIn()
  const wrong = { ...CLIENT, client_secret: 'wrong', grant_type: 'refresh_token', refresh_token: 'x' }
  const refused = [
    ['/oauth2/login', await opened.send('/oauth2/login?client_id=unknown')],
    ['/oauth2/login', await opened.send(opened.authorizePath({ response_type: 'x' }), { headers: cookie })],
    ['/oauth2/token', await opened.send('/oauth2/token', { method: 'POST', body: 'x' })],
    ...(await Promise.all(
      Array.from({ length: 11 }, async () => ['/oauth2/token', await opened.post('/oauth2/token', wrong)]),
    )),
    ['/organizations/{organization_id}', await opened.send('/organizations/9', { headers: opened.key() })],
    [
      '/rate_limit',
      await opened.send('/rate_limit', { headers: { ...opened.key(), Authorization: 'Bearer x' } }),
    ],
  ] as [string, Response][]
  const seen = refused.map(([path, { status }]) => [path, status])
  expect(new Set(seen.map(String)).size).toBe(7)
  for (const [path, { status, headers }] of refused) {
    const described = Object.values<{ responses: Record<number, { headers?: object }> }>(paths[path])[0]
    const names = Object.keys(described?.responses[status]?.headers ?? {})
    expect([path, status, names.every((name) => headers.has(name))]).toEqual([path, status, true])
    expect(Object.keys(described?.responses ?? {})).toContain(String(status))
  }
})

test('the service answers its reads as its OpenAPI document describes (2.1, 2.2)', async () => {
  const opened = openControl()
  const { paths } = await (await opened.send('/openapi.json')).json()
  const required = (schema: { required: string[] }) => schema.required
  const record = await (await opened.send('/rate_limit', { headers: opened.key() })).json()
  const schema = paths['/rate_limit'].get.responses[200].content['application/json'].schema
  expect(Object.keys(record)).toEqual(required(schema))
  expect(Object.keys(record.get)).toEqual(required(schema.properties.get))
  const { body } = await opened.exchange(await opened.authorize())
  const tokens = paths['/oauth2/token'].post.responses[200].content['application/json'].schema
  expect(Object.keys(body)).toEqual(required(tokens))
})
