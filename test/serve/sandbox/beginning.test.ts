import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSandbox } from '../../../src/sandbox/sandbox.ts'
import { seedFor } from '../../../src/sandbox/state/seed.ts'
import type { StartOptions } from '../../../src/serve/sandbox/exports.d.ts'
import { optionsOf } from '../../../src/serve/sandbox/flags.ts'
import { openListeners } from '../../../src/serve/sandbox/listeners.ts'
import { startSandbox } from '../../../src/serve/sandbox/package.ts'
import { openSandbox } from '../../../src/serve/sandbox/sandbox.ts'
import { readSettings } from '../../../src/serve/settings/settings.ts'
import { IS_WHOLE } from '../../_extent.ts'
import { folder } from '../../kit/temp-folder.ts'

const settings = readSettings({ PLIMSOLL_STORE: 'sqlite::memory:' }, String)

async function opened(options: StartOptions) {
  const sandbox = await openSandbox(settings, { port: 0, ...options })
  const read = async (path: string) => (await fetch(`${sandbox.controlUrl}${path}`)).json()
  return { ...sandbox, read }
}

test('two sandboxes open at once on any free ports, and know their addresses', async () => {
  const [one, other] = [await opened({}), await opened({})]
  expect(new Set([one.url, one.controlUrl, other.url, other.controlUrl]).size).toBe(4)
  expect((await fetch(`${one.url}/healthz`)).status).toBe(200)
  await Promise.all([one.close(), other.close()])
})

test('a sandbox begins with the records, the choices and the time that it is given', async () => {
  const file = (name: string, value: unknown) => {
    writeFileSync(join(folder, name), JSON.stringify(value))
    return join(folder, name)
  }
  const flags = {
    seed: file('seed.json', { api_keys: [] }),
    choices: file('choices.json', { rotation: 'same' }),
    freeze: '2026-11-30T00:00Z',
  }
  const sandbox = await opened(optionsOf(flags))
  expect(await sandbox.read('/profile')).toMatchObject({ rotation: 'same' })
  expect(await sandbox.read('/clock')).toMatchObject({ now: '2026-11-30T00:00:00.000Z', frozen: true })
  expect(await sandbox.read('/snapshot')).toMatchObject({ api_keys: [] })
  await sandbox.close()
})

test('a reset takes a frozen clock back to its instant, in a world too (2.2)', async () => {
  const { controlUrl, close } = await opened({ freeze: '2026-11-30T00:00Z' })
  const world = await (await fetch(`${controlUrl}/worlds`, { method: 'POST' })).json()
  for (const url of [controlUrl, (world as { control_url: string }).control_url]) {
    const clock = async () => (await fetch(`${url}/clock`)).json()
    expect(await clock()).toMatchObject({ now: '2026-11-30T00:00:00.000Z', frozen: true })
    const headers = { 'Content-Type': 'application/json' }
    await fetch(`${url}/clock`, { method: 'POST', headers, body: '{"do":"advance","ms":60000}' })
    await fetch(`${url}/clock`, { method: 'POST', headers, body: '{"do":"run"}' })
    expect((await fetch(`${url}/reset`, { method: 'POST' })).ok).toBe(true)
    expect(await clock()).toMatchObject({ now: '2026-11-30T00:00:00.000Z', frozen: true })
  }
  await close()
})

test('a file that cannot be read is named, and so is the field or the choice that is wrong', async () => {
  expect(() => optionsOf({ seed: join(folder, 'none.json') })).toThrow(/none\.json cannot be used: ENOENT/)
  const path = join(folder, 'seed.json')
  for (const text of ['null', '[]', '"rotation"']) {
    writeFileSync(path, text)
    for (const flag of ['seed', 'choices'])
      expect(() => optionsOf({ [flag]: path })).toThrow(/seed\.json cannot be used: it is no JSON object$/)
  }
  writeFileSync(path, '{"applications":[{"client_id":5}]}')
  await expect(opened(optionsOf({ seed: path }))).rejects.toThrow(/^applications\[0\]\.client_id: /)
  await expect(opened({ choices: { rotation: 'x' } })).rejects.toThrow('rotation cannot be "x"')
  const others = [
    'noon',
    '7',
    '2026-11-30',
    '2026-11-30T00:00',
    '1969-12-31T00:00Z',
    '+010000-01-01T00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-13-01T00:00Z',
  ]
  for (const freeze of others)
    await expect(opened({ freeze })).rejects.toThrow('--freeze must be a time such as')
})

test('a base path that no address can have is refused in one sentence (S2)', async () => {
  for (const basePath of ['api', '/api/', '/', '/a//b', '/a/../b', '/a?b', '/a b', '/%61'])
    await expect(opened({ basePath })).rejects.toThrow(/^--base-path must begin with \/ and [^\n]*\.$/)
  const { url, close } = await opened({ basePath: '/api/v2.1' })
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  await close()
})

test('no sandbox opens beside a public address', async () => {
  for (const publicUrl of ['https://plimsoll.example', 'https://localhost.evil.example'])
    await expect(openSandbox({ ...settings, publicUrl })).rejects.toThrow('PLIMSOLL_PUBLIC_URL')
})

test('the cause of an answer 500 is passed on, of the control plane too (RFC 9110 15.6.1)', async () => {
  const [seed, causes] = [seedFor({ publicUrl: 'http://localhost:3000', random: 'any' }), [] as Error[]]
  const { url, controlUrl, close } = await openListeners(
    {},
    {
      // This is not an instant, so the month throws.
      make: (parts) => ({ sandbox: createSandbox({ ...parts, seed, now: () => NaN }), close: () => {} }),
      names: { port: '--port', host: '--host', hosts: '--allowed-hosts' },
      onError: (error) => causes.push(error),
    },
  )
  const headers = { 'X-Service-Api-Key': seed.api_keys[0]?.value ?? '' }
  expect((await fetch(`${url}/organizations`, { headers })).status).toBe(500)
  expect((await fetch(`${controlUrl}/`)).status).toBe(500)
  expect(causes).toEqual([expect.any(RangeError), expect.any(RangeError)])
  await close()
})

const CONTROL_TOKEN = 'the-token-of-the-control-plane'

function controlTokenFile(): string {
  const path = join(folder, 'control-token')
  writeFileSync(path, `${CONTROL_TOKEN}\n`, { mode: 0o600 })
  return path
}

test('a control plane that others can reach needs its token at every address but one (check 68)', async () => {
  const beginning = { controlHost: '0.0.0.0', controlTokenFile: controlTokenFile() }
  const { controlUrl, close } = await opened(beginning)
  expect(controlUrl).toMatch(/^http:\/\/127\.0\.0\.1:/)
  const statusOf = async (address: string, headers = {}) => (await fetch(address, { headers })).status
  const json = { 'Content-Type': 'application/json' }
  const withToken = { Authorization: `Bearer ${CONTROL_TOKEN}`, ...json }
  const opening = await fetch(`${controlUrl}/worlds`, { method: 'POST', headers: withToken })
  const { control_url: world } = await opening.json()
  for (const address of [controlUrl, world]) {
    const { paths } = await (await fetch(`${address}/openapi.json`, { headers: withToken })).json()
    for (const path of ['/', '/openapi.json', '/nothing', ...Object.keys(paths)]) {
      const refused = await fetch(address + path, { headers: { Authorization: 'Bearer another' } })
      expect([path, refused.status, refused.headers.get('WWW-Authenticate')]).toEqual([
        path,
        401,
        'Bearer realm="api"',
      ])
      expect([path, await statusOf(address + path)]).toEqual([path, 401])
    }
    expect(await statusOf(`${address}/clock`, withToken)).toBe(200)
    expect([await statusOf(`${address}/healthz`), await statusOf(`${address}/healthz`, withToken)]).toEqual([
      200, 200,
    ])
  }
  expect((await fetch(`${controlUrl}/reset`, { method: 'POST', headers: json })).status).toBe(401)
  await close()
})

const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((one) => one?.family === 'IPv6')

test.each(['0.0.0.0', ...(hasIpv6 ? ['::'] : [])])(
  'on %s both ports answer the names that they are given, and no other (check 68)',
  async (host) => {
    const everywhere = { allowedHosts: ['sandbox'], controlHost: host, controlTokenFile: controlTokenFile() }
    const { url, controlUrl, close } = await startSandbox({ host, anyAddress: true, ...everywhere })
    const headers = { Authorization: `Bearer ${CONTROL_TOKEN}`, 'Content-Type': 'application/json' }
    for (const address of [url, controlUrl])
      expect([
        await askedAs(address, '/healthz', 'sandbox:4000'),
        await askedAs(address, '/healthz', 'evil.example'),
      ]).toMatchObject([{ status: 200 }, { status: 421, text: expect.stringContaining('--allowed-hosts') }])
    const opening = await askedAs(controlUrl, '/worlds', 'sandbox:4001', { method: 'POST', headers })
    expect(JSON.parse(opening.text)).toEqual({
      url: expect.stringMatching(`^http://sandbox:${new URL(url).port}/worlds/`),
      control_url: expect.stringMatching(`^http://sandbox:${new URL(controlUrl).port}/worlds/`),
    })
    await close()
  },
)

test('a control plane for this machine answers to no further name, and names the flag (check 69)', async () => {
  const set = { ...settings, allowedHosts: ['setting'] }
  const options = { port: 0, host: '0.0.0.0', anyAddress: true, allowedHosts: ['sandbox'] }
  const { url, controlUrl, close } = await openSandbox(set, options)
  for (const name of options.allowedHosts.concat(set.allowedHosts))
    expect(await askedAs(url, '/healthz', name)).toMatchObject({ status: 200 })
  await expect(fetch(controlUrl.replace('127.0.0.1', '127.0.0.2'))).rejects.toThrow('fetch failed')
  const refused = { status: 421, text: expect.stringContaining('can allow it with --control-host.') }
  expect(await askedAs(controlUrl, '/healthz', 'sandbox')).toMatchObject(refused)
  await close()
})

test('a port that is taken is named as its operator set it', async () => {
  const { url, close } = await startSandbox()
  const port = Number(new URL(url).port)
  for (const another of [startSandbox({ port }), opened({ port })])
    await expect(another).rejects.toThrow(/ is in use\. Choose another one with --port\.$/)
  const set = openSandbox({ ...settings, sandboxPort: port })
  await expect(set).rejects.toThrow(/ with PLIMSOLL_SANDBOX_PORT\.$/)
  await close()
})

test('a host for others or of another machine is named as its operator set it (check 68)', async () => {
  await expect(opened({ host: '0.0.0.0' })).rejects.toThrow(/^PLIMSOLL_HOST or --host .* --any-address/)
  const nowhere = { host: '192.0.2.1', anyAddress: true }
  await expect(startSandbox(nowhere)).rejects.toThrow(/^--host is not an address of this machine/)
  await expect(opened(nowhere)).rejects.toThrow(/^PLIMSOLL_HOST or --host is not an address/)
})

/** fetch allows no other `Host`. */
async function askedAs(
  address: string,
  path: string,
  host: string,
  options: { method?: string; headers?: object } = {},
) {
  const headers = { ...options.headers, Host: host }
  const sent = request(`${address}${path}`, { ...options, headers }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, text: (await answer.setEncoding('utf8').toArray()).join('') }
}

test('the metadata of a world are those of its own address, also below a base path (RFC 8414 3.1)', async () => {
  for (const basePath of ['', '/a/b']) {
    const main = await opened({ basePath, choices: { metadata: 'rfc_8414' } })
    const { url } = (await (await fetch(`${main.controlUrl}/worlds`, { method: 'POST' })).json()) as never
    for (const at of [main.url, url]) {
      const { origin, pathname } = new URL(at)
      const path = pathname === '/' ? '' : pathname
      const answer = await fetch(`${origin}/.well-known/oauth-authorization-server${path}`)
      expect(await answer.json()).toMatchObject({ issuer: at, token_endpoint: `${at}/oauth2/token` })
    }
    await main.close()
  }
})

test('a world that is gone answers 404, and the main sandbox counts nothing for it (8.3)', async () => {
  const { url, controlUrl, seed, read, close } = await opened({})
  const headers = { 'X-Service-Api-Key': seed.api_keys[0]?.value ?? '' }
  for (const address of [`${url}/worlds/gone/organizations`, `${controlUrl}/worlds/gone/clock`])
    expect((await fetch(address, { headers: address.startsWith(url) ? headers : {} })).status).toBe(404)
  expect([await read('/ledger'), await read('/usage')]).toMatchObject([[], { 1001: { month: 0 } }])
  await close()
})

const JOURNEYS = IS_WHOLE ? 200 : 25

test('eight workers in worlds of one process do not see each other (8.2, 8.3)', async () => {
  const main = await opened({})
  const worlds = await Promise.all(Array.from({ length: 8 }, (_, nth) => openWorld(main.controlUrl, nth)))
  const journeys = worlds.map(async ({ send, tokensOf, read }, nth) => {
    const neighbour = worlds[(nth + 1) % worlds.length] ?? worlds[0]
    const names = new Set<unknown>()
    for (let journey = 0; journey < JOURNEYS; journey += 1) {
      const { code, redirect_uri } = await send('/codes', { person: 'cleo', organization_id: 2002 })
      const first = await tokensOf({ grant_type: 'authorization_code', code, redirect_uri })
      names.add((await read(first.access_token)).name)
      const { refresh_token } = first
      const { access_token } = await tokensOf({ grant_type: 'refresh_token', refresh_token })
      names.add((await neighbour?.read(access_token))?.error)
    }
    return [...names]
  })
  const names = await Promise.all(journeys)
  expect(names).toEqual(worlds.map(({ name }) => [name, 'invalid_token']))
  expect(await Promise.all(worlds.map(({ verify }) => verify()))).toEqual(
    worlds.map((_, nth) => ({
      differences: [],
      clock: Date.UTC(2026, nth),
      faults: nth + 1,
      usage: { month: JOURNEYS, read: 1, update: 0 },
    })),
  )
  expect(await main.read('/usage')).toMatchObject({ 2002: { month: 0 } })
  expect(await main.read('/ledger')).toEqual([])
  await main.close()
})

/** A world with records, a clock and a fault of its own, and what a client of it does. */
async function openWorld(main: string, nth: number) {
  const json = async (address: string, body: unknown) => {
    const headers = { 'Content-Type': 'application/json' }
    const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })
    return answer.status === 204 ? undefined : answer.json()
  }
  const { url, control_url } = await json(`${main}/worlds`, {})
  const send = (path: string, body: unknown) => json(control_url + path, body)
  const state = (path: string) => fetch(control_url + path).then((answer) => answer.json())
  const name = `Organization of worker ${nth}`
  const { organizations, applications } = await state('/snapshot')
  await send('/seed', { organizations: organizations.map((one: object) => ({ ...one, name })) })
  await send('/clock', { do: 'freeze' })
  await send('/clock', { do: 'set', ms: Date.UTC(2026, nth) })
  await send('/faults', { operation: 'rate_limit', kind: 'hang', times: nth + 1 })
  const [{ client_id, client_secret }] = applications
  return {
    name,
    send,
    async tokensOf(form: Record<string, string>) {
      const body = new URLSearchParams({ ...form, client_id, client_secret })
      return (await fetch(`${url}/oauth2/token`, { method: 'POST', body })).json()
    },
    async read(token: string) {
      const headers = { Authorization: `Bearer ${token}` }
      return (await fetch(`${url}/organizations/2002`, { headers })).json()
    },
    async verify() {
      const { differences } = await send('/verify', [
        { path: '/codes', exactly: JOURNEYS },
        { path: '/oauth2/token', status: 200, exactly: 2 * JOURNEYS },
        { path: '/organizations/2002', status: 200, exactly: JOURNEYS },
        { path: '/organizations/2002', status: 401, exactly: JOURNEYS },
        { after: 0, exactly: 5 * JOURNEYS },
        { verdict: 'any', exactly: 0 },
      ])
      const [{ now_ms: clock }, [{ times }], usage] = await Promise.all(
        ['/clock', '/faults', '/usage'].map(state),
      )
      return { differences, clock, faults: times, usage: usage[2002] }
    },
  }
}
