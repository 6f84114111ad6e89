import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { aPartOf } from '../_extent.ts'
import { wholeTest } from '../_whole.ts'
import { endLater, openApp } from '../kit/cleanup.ts'
import { file } from '../kit/temp-folder.ts'
import { openTokenService, PAGE, signIn, TOKENS } from '../kit/service.ts'
import { freePort, run } from '../kit/app-process.ts'

test('another service works with the same build: exchange, read, gauge and refresh button (5.3, 8.4)', async () => {
  const tokens = { ...TOKENS, access_token: 'other-at', refresh_token: 'other-rt' }
  const { service, settings } = await openTokenService((path) =>
    path.endsWith('/oauth2/token')
      ? { body: JSON.stringify(tokens) }
      : {
          body: '[{"id": 7, "any": ["shape"]}]',
          headers: {
            'X-RateLimit-Limit': '600',
            'X-RateLimit-Remaining': '598',
            'X-RateLimit-Reset': String(Math.floor(Date.now() / 1000) + 30),
          },
        },
  )
  const running = await openApp(settings)
  expect(running.output()).not.toContain('sandbox')
  const signedOut = await (await fetch(`${running.url}/bff/session`, { headers: PAGE })).json()
  expect(signedOut).toMatchObject({
    authorize: {
      authorization_endpoint: `${service.url}oauth2/login`,
      client_id: 'an-app',
      redirect_uri: `${running.url}/callback`,
    },
  })
  const { reply, call } = await signIn(running, '7')
  expect(reply.status).toBe(201)
  expect(await (await call('/api/organizations/7')).text()).toBe('[{"id": 7, "any": ["shape"]}]')
  expect((await call('/api/organizations/7', '1')).headers.get('X-RateLimit-Remaining')).toBe('598')
  expect(await (await call('/bff/quota')).json()).toMatchObject({
    read: { limit: 600, remaining: 598 },
    month: { plan: 'business' },
  })
  expect(service.asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /tasks/api/oauth2/token',
    'GET /tasks/api/organizations/7',
    'GET /tasks/api/organizations/7',
  ])
  expect(service.asked[1]?.authorization).toBe('Bearer other-at')
  expect(running.output()).not.toMatch(/canary-of-the-operator|other-at|other-rt|a-code/)
})

wholeTest(
  'the embedded sandbox reads the token encoding and the API key header of the settings (4.2, 5.1.5)',
  async () => {
    const running = await openApp({ PLIMSOLL_TOKEN_ENCODING: 'json', PLIMSOLL_API_KEY_HEADER: 'X-Key' })
    const { reply } = await signIn(running, '1001')
    // The sandbox has read the request, because it knows no such code.
    expect([reply.status, (await reply.json()).code]).toEqual([401, 'code_rejected'])
    const api_key = (await running.sandboxState()).api_keys[0]?.value
    const withKey = await fetch(`${running.url}/bff/session`, {
      method: 'POST',
      headers: { ...PAGE, 'Content-Type': 'application/json' },
      body: JSON.stringify({ api_key }),
    })
    expect(withKey.status).toBe(201)
  },
)

test('the built server checks the version of Node before it loads anything', async () => {
  // An import in the file itself would come before the check.
  expect(readFileSync('dist/server/serve.js', 'utf8')).not.toMatch(/^import[^(]/m)
  const fake = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } })`
  const { output, exitCode } = await run({
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(fake)}`,
  })
  await expect.poll(exitCode).toBe(1)
  expect(output()).toBe('Plimsoll does not run on Node 18.20.4: install Node 20.19, 22.12, or 24 or newer.\n')
})

test('one message names every error of the settings, and the start is refused (settings)', async () => {
  const { output, exitCode } = await run({
    PLIMSOLL_PORT: 'eighty',
    PLIMSOLL_PKCE: 'S512',
    PLIMSOLL_STROE: 'x',
    PLIMSOLL_SERVICE_URL: 'http://service.example',
  })
  await expect.poll(exitCode).toBe(1)
  for (const name of [
    'PLIMSOLL_PORT',
    'PLIMSOLL_PKCE',
    'PLIMSOLL_STROE is not a setting; the settings are PLIMSOLL_SERVICE_URL',
    'PLIMSOLL_SERVICE_URL',
    'PLIMSOLL_CLIENT_ID',
    'PLIMSOLL_CLIENT_SECRET',
  ]) {
    expect(output()).toContain(name)
  }
  expect(output()).not.toMatch(/\n\s+at /)
})

const BESIDE_PUBLIC: [flags: string[], env: Record<string, string>, setting: string][] = [
  [[], {}, 'PLIMSOLL_SERVICE_URL'],
  [
    ['--sandbox', '--any-address'],
    { PLIMSOLL_SERVICE_URL: 'https://service.example' },
    'PLIMSOLL_PUBLIC_URL',
  ],
]
test.each(aPartOf(BESIDE_PUBLIC, ([flags]) => !flags.includes('--any-address')))(
  'with %j no sandbox starts beside a public https address',
  async (flags, env, setting) => {
    const settings = {
      PLIMSOLL_PUBLIC_URL: 'https://plimsoll.example',
      PLIMSOLL_STORE: 'sqlite::memory:',
      PLIMSOLL_SANDBOX_PORT: String(await freePort()),
      ...env,
      ...(setting === 'PLIMSOLL_PUBLIC_URL' && { PLIMSOLL_CLIENT_ID: 'a', PLIMSOLL_CLIENT_SECRET: 'b' }),
    }
    const { output, exitCode } = await run(settings, flags)
    await expect.poll(exitCode).toBe(1)
    expect(
      output()
        .split('\n')
        .filter((line) => line.includes(setting)),
    ).toHaveLength(1)
    expect(output()).not.toContain('127.0.0.1')
  },
)

test.each(
  aPartOf(['PLIMSOLL_SANDBOX_PORT', 'PLIMSOLL_PORT', 'PLIMSOLL_OPERATIONS_PORT'], (_, at) => at === 1),
)('a port that is in use is named, with %s to choose another (settings)', async (name) => {
  const taken = await freePort()
  const server = createServer().listen(taken, '127.0.0.1')
  endLater(() => server.close())
  const others = {
    PLIMSOLL_PORT: await freePort(),
    PLIMSOLL_SANDBOX_PORT: await freePort(),
    PLIMSOLL_OPERATIONS_PORT: await freePort(),
  }
  const env = Object.fromEntries(
    Object.entries({ ...others, [name]: taken }).map(([key, value]) => [key, String(value)]),
  )
  const { output, exitCode } = await run({ ...env, PLIMSOLL_STORE: `sqlite:${file}` })
  await expect.poll(exitCode).toBe(1)
  expect(output()).toBe(`Port ${taken} on 127.0.0.1 is in use. Choose another one with ${name}.\n`)
})

wholeTest('the doctor ends with 0 without a fault, else with 1, and sends nothing', async () => {
  const { service, settings } = await openTokenService()
  const [port, operationsPort] = [await freePort(), await freePort()]
  const ports = { PLIMSOLL_PORT: String(port), PLIMSOLL_OPERATIONS_PORT: String(operationsPort) }
  for (const [publicPort, code, found] of [
    [port, 0, ' 0 faults'],
    [await freePort(), 1, ' 1 fault\n'],
  ] as const) {
    const url = { PLIMSOLL_PUBLIC_URL: `http://localhost:${publicPort}` }
    const env = { ...settings, ...ports, ...url, PLIMSOLL_STORE: `sqlite:${file}` }
    const { output, exitCode } = await run(env, ['--doctor'])
    await expect.poll(exitCode).toBe(code)
    await expect.poll(output).toContain(found)
    expect(output()).not.toContain(settings.PLIMSOLL_CLIENT_SECRET)
  }
  expect(service.asked).toEqual([])
})
