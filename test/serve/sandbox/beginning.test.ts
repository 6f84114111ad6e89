import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startSandbox } from '../../../src/serve/sandbox/package.ts'
import { openSandbox } from '../../../src/serve/sandbox/sandbox.ts'
import type { Beginning } from '../../../src/serve/settings/command-line.ts'
import { readSettings } from '../../../src/serve/settings/settings.ts'
import { folder } from '../../kit/temp-folder.ts'

const settings = readSettings({ PLIMSOLL_STORE: 'sqlite::memory:' }, String)

async function opened(beginning: Beginning) {
  const sandbox = await openSandbox(settings, '127.0.0.1', { port: 0, ...beginning })
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
  const sandbox = await opened({
    seedFile: file('seed.json', { api_keys: [] }),
    choicesFile: file('choices.json', { rotation: 'same' }),
    frozenAtMs: Date.UTC(2026, 10, 30),
  })
  expect(await sandbox.read('/profile')).toMatchObject({ rotation: 'same' })
  expect(await sandbox.read('/clock')).toMatchObject({ now: '2026-11-30T00:00:00.000Z', frozen: true })
  expect(await sandbox.read('/snapshot')).toMatchObject({ api_keys: [] })
  await sandbox.close()
})

test('a file that cannot be used is named, with the field that is wrong', async () => {
  const path = join(folder, 'seed.json')
  writeFileSync(path, '{"applications":[{"client_id":5}]}')
  await expect(opened({ seedFile: path })).rejects.toThrow(
    /seed\.json cannot be used: applications\[0\]\.client_id: /,
  )
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
      ]).toMatchObject([{ status: 200 }, { status: 421 }])
    const opening = await askedAs(controlUrl, '/worlds', 'sandbox:4001', { method: 'POST', headers })
    expect(JSON.parse(opening.text)).toEqual({
      url: expect.stringMatching(`^http://sandbox:${new URL(url).port}/worlds/`),
      control_url: expect.stringMatching(`^http://sandbox:${new URL(controlUrl).port}/worlds/`),
    })
    await close()
  },
)

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

test('eight workers in worlds of one process do not see each other (8.2, 8.3)', async () => {
  const main = await opened({})
  const post = async (address: string, body: unknown = {}) =>
    fetch(address, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  const workers = Array.from({ length: 8 }, async (_, nth) => {
    const { url, control_url } = await (await post(`${main.controlUrl}/worlds`)).json()
    await post(`${control_url}/clock`, { do: 'advance', ms: nth * 60_000 })
    for (let journey = 0; journey <= nth; journey += 1) {
      const tokens = await (
        await post(`${control_url}/tokens`, { person: 'ada', organization_id: 1001 })
      ).json()
      const headers = { Authorization: `Bearer ${tokens.access_token}` }
      expect((await fetch(`${url}/organizations/1001`, { headers })).status).toBe(200)
      expect((await fetch(`${main.url}/organizations/1001`, { headers })).status).toBe(401)
    }
    const usage = await (await fetch(`${control_url}/usage`)).json()
    const log = await (await fetch(`${control_url}/ledger`)).json()
    return [usage[1001].month, log.length]
  })
  expect(await Promise.all(workers)).toEqual(Array.from({ length: 8 }, (_, nth) => [nth + 1, 2 * (nth + 1)]))
  expect(await main.read('/usage')).toMatchObject({ 1001: { month: 0 } })
  await main.close()
})
