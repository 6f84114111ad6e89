// Tests that the doctor names what is planted in a deployment, and sends nothing to the service.
import { chmodSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runDoctor } from '../../../src/serve/doctor/doctor.ts'
import { isOnNetwork } from '../../../src/serve/doctor/store.ts'
import { openSqlite } from '../../../src/store/sqlite/sqlite.ts'
import { freePort } from '../../kit/app-process.ts'
import { selfSigned } from '../../kit/certificate.ts'
import { file, folder } from '../../kit/temp-folder.ts'
import { findPostgres, startPostgres } from '../../store/_postgres-server.ts'

/** Listens on a free port of this machine until the test ends. */
async function listenOn(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())))
  return (server.address() as AddressInfo).port
}

/** A deployment without a fault, with a service that counts connections. */
async function deploy() {
  let connections = 0
  const service = await listenOn(
    createTcpServer((socket) => {
      connections += 1
      socket.destroy()
    }),
  )
  const [port, operationsPort] = [await freePort(), await freePort()]
  const secretFile = join(folder, 'secret')
  writeFileSync(secretFile, 'a-good-secret\n', { mode: 0o600 })
  await openSqlite(file).close()
  const env: Record<string, string | undefined> = {
    PLIMSOLL_SERVICE_URL: `http://127.0.0.1:${service}`,
    PLIMSOLL_CLIENT_ID: 'an-app',
    PLIMSOLL_CLIENT_SECRET_FILE: secretFile,
    PLIMSOLL_PORT: String(port),
    PLIMSOLL_OPERATIONS_PORT: String(operationsPort),
    PLIMSOLL_STORE: `sqlite:${file}`,
  }
  return { env, port, operationsPort, service, secretFile, connections: () => connections }
}
type Deployment = Awaited<ReturnType<typeof deploy>>
type Changes = Record<string, string | undefined>

async function examine(environment: Changes) {
  let report = ''
  const code = await runDoctor(environment, (text) => (report += text))
  return { report, code }
}

const answers =
  (status: number, body: string): RequestListener =>
  (_, response) =>
    response.writeHead(status, { Connection: 'close' }).end(body)

const https = { PLIMSOLL_PUBLIC_URL: 'https://localhost:1', PLIMSOLL_TRUST_PROXY: '1' }
const withCertificate = async (name: string, endsInMs: number) => {
  const server = createTlsServer(selfSigned(name, Date.now() + endsInMs), answers(200, ''))
  return { ...https, PLIMSOLL_PUBLIC_URL: `https://localhost:${await listenOn(server)}` }
}
const DAY_MS = 86_400_000

/** The line that names it, and a function that plants it in the settings or around them. */
const FINDINGS: Record<string, [RegExp, (deployment: Deployment) => Changes | Promise<Changes>]> = {
  'a name that is no setting': [
    /fault +settings +PLIMSOLL_STROE is not a setting/,
    () => ({ PLIMSOLL_STROE: 'x' }),
  ],
  'an empty secret file': [
    /fault +settings +PLIMSOLL_CLIENT_SECRET_FILE names a file that is empty/,
    ({ secretFile }) => writeFileSync(secretFile, '') ?? {},
  ],
  'a secret that every user may read': [
    /fault +files +every user of this machine may read .*secret$/,
    ({ secretFile }) => chmodSync(secretFile, 0o604) ?? {},
  ],
  'a store that every user may read': [
    /fault +files +every user of this machine may read .*\.db$/,
    () => chmodSync(file, 0o644) ?? {},
  ],
  'a secret in quotation marks': [
    /fault +secret +it is the client id, or has quotation marks/,
    ({ secretFile }) => writeFileSync(secretFile, '"a-good-secret"') ?? {},
  ],
  'the client id in place of the secret': [
    /fault +secret +it is the client id/,
    ({ secretFile }) => writeFileSync(secretFile, 'an-app') ?? {},
  ],
  'a secret in the environment': [
    /warning +secret +it is in the environment/,
    () => ({ PLIMSOLL_CLIENT_SECRET_FILE: '', PLIMSOLL_CLIENT_SECRET: 'a-good-secret' }),
  ],
  'a public address with another port': [
    /fault +redirect URI people come back from the service to port 1, and the app listens on/,
    () => ({ PLIMSOLL_PUBLIC_URL: 'http://localhost:1' }),
  ],
  'one host name for app and service': [
    /warning +service +app and service have the same host name/,
    ({ port }) => ({ PLIMSOLL_PUBLIC_URL: `http://127.0.0.1:${port}` }),
  ],
  'a service name that no one knows': [
    /fault +service +no name server knows service\.invalid/,
    () => ({ PLIMSOLL_SERVICE_URL: 'https://service.invalid' }),
  ],
  'a proxy that no one knows before a service that only it knows': [
    /fault +service +no name server knows proxy\.invalid/,
    () => ({ PLIMSOLL_SERVICE_URL: 'https://service.invalid', HTTPS_PROXY: 'http://proxy.invalid:3128' }),
  ],
  'a service that only a proxy knows, which NO_PROXY leaves out': [
    /fault +service +no name server knows service\.invalid/,
    () => ({
      PLIMSOLL_SERVICE_URL: 'https://service.invalid',
      HTTPS_PROXY: 'http://127.0.0.1:1',
      NO_PROXY: 'a.example,.invalid:443',
    }),
  ],
  'https without a trusted proxy': [
    /fault +proxy +https needs one before the app, and PLIMSOLL_TRUST_PROXY is 0/,
    () => ({ ...https, PLIMSOLL_TRUST_PROXY: '0' }),
  ],
  'addresses that everyone may claim without a proxy': [
    /warning +proxy +PLIMSOLL_TRUST_PROXY is 1: whoever/,
    () => ({ PLIMSOLL_TRUST_PROXY: '1' }),
  ],
  'addresses that everyone may claim around the proxy': [
    /warning +proxy +PLIMSOLL_TRUST_PROXY is 1: whoever/,
    () => ({ ...https, PLIMSOLL_HOST: '0.0.0.0' }),
  ],
  'an operations port for everyone': [
    /warning +operations +others may reach health and metrics/,
    () => ({ PLIMSOLL_OPERATIONS_HOST: '::' }),
  ],
  'an operations host that is no address': [
    /warning +operations +others may reach health and metrics/,
    () => ({ PLIMSOLL_OPERATIONS_HOST: '256.1.1.1' }),
  ],
  'a damaged store': [
    /fault +store +.*damaged\.db cannot be used: file is not a database/,
    () => {
      writeFileSync(join(folder, 'damaged.db'), 'not a database '.repeat(500))
      return { PLIMSOLL_STORE: `sqlite:${folder}/damaged.db` }
    },
  ],
  'a folder in place of the store': [
    /fault +store +\S+ cannot be used/,
    () => ({ PLIMSOLL_STORE: `sqlite:${folder}` }),
  ],
  'a store below a file': [
    /fault +store +\S+ cannot be used: (ENOTDIR|\S+ is not a folder)/,
    () => ({ PLIMSOLL_STORE: `sqlite:${file}/plimsoll.db` }),
  ],
  'a store whose folder cannot be entered': [
    /fault +store +\S+ cannot be used: E(LOOP|ACCES)/,
    () => {
      // Every user is refused there, also the superuser, who enters any closed folder.
      symlinkSync('itself', join(folder, 'itself'))
      return { PLIMSOLL_STORE: `sqlite:${folder}/itself/data/plimsoll.db` }
    },
  ],
  'a store in memory': [/fault +store +it is in memory/, () => ({ PLIMSOLL_STORE: 'sqlite::memory:' })],
  'nothing at the public address': [/warning +public URL +nothing answers at http/, () => ({})],
  'a public name that no one knows': [
    /fault +public URL +https:\/\/plimsoll\.invalid does not lead to this app \(E\w+\)/,
    () => ({ ...https, PLIMSOLL_PUBLIC_URL: 'https://plimsoll.invalid' }),
  ],
  'a certificate that no browser accepts': [
    /fault +public URL +.* does not lead to this app \(\w*SELF_SIGNED\w*\)/,
    () => withCertificate('localhost', 30 * DAY_MS),
  ],
  'another app at the public address': [
    /fault +public URL +.* does not lead to this app \(status 502\)/,
    async ({ port }) => {
      await listenOn(createServer(answers(502, '<h1>')), port)
      return {}
    },
  ],
  'an app with other settings at the public address': [
    /fault +public URL +.* does not lead to this app \(https:\/\/other\.example\/callback\)/,
    async ({ port }) => {
      const body = '{"signed_in":false,"authorize":{"redirect_uri":"https://other.example/callback"}}'
      await listenOn(createServer(answers(200, body)), port)
      return {}
    },
  ],
}

test('a deployment without a fault has none, whether it runs or not, and the service gets nothing', async () => {
  const { env, port, connections } = await deploy()
  const { report, code } = await examine(env)
  expect(report).not.toMatch(/^fault/m)
  expect(report).toMatch(/^ok +store +nothing is wrong\n/m)
  expect(report).toMatch(/\n\d+ ok, 1 warning, 0 faults\n$/)
  expect([code, connections()]).toEqual([0, 0])
  const body = `{"authorize":{"redirect_uri":"http://localhost:${port}/callback"}}`
  await listenOn(createServer(answers(200, body)), port)
  expect((await examine(env)).report).toMatch(/, 0 warnings, 0 faults\n$/)
})

test.each(Object.entries(FINDINGS))('%s is named, and the service gets nothing', async (_, [line, plant]) => {
  const deployment = await deploy()
  const changes = await plant(deployment)
  const { report, code } = await examine({ ...deployment.env, ...changes })
  expect(report).toMatch(new RegExp(`^${line.source}`, 'm'))
  expect([code, deployment.connections()]).toEqual([/^fault/m.test(report) ? 1 : 0, 0])
  expect(report).not.toContain('a-good-secret')
})

test.each([
  ['of http, which goes through none', {}],
  ['at every host', { PLIMSOLL_SERVICE_URL: 'https://127.0.0.1', NO_PROXY: '*' }],
  [
    'at its own host',
    { PLIMSOLL_SERVICE_URL: 'https://127.0.0.1:8443', NO_PROXY: 'x.example 127.0.0.1:8443' },
  ],
])('a proxy that no one knows is no fault for a service %s', async (_, changes) => {
  const { env } = await deploy()
  const { report } = await examine({ ...env, HTTPS_PROXY: 'http://proxy.invalid:3128', ...changes })
  expect(report).toMatch(/^ok +service/m)
})

test('a store that is not there yet is not made, and neither is its folder', async () => {
  const { env } = await deploy()
  const { report } = await examine({ ...env, PLIMSOLL_STORE: `sqlite:${folder}/one/two/plimsoll.db` })
  expect(report).toMatch(/^ok +store/m)
  expect(readdirSync(folder)).not.toContain('one')
})

test('a store in use is examined beside the app', async () => {
  const { env } = await deploy()
  const store = openSqlite(file)
  await store.addToCounter('a', 1, 0, 1)
  expect((await examine(env)).report).toMatch(/^ok +store/m)
  expect(await store.addToCounter('b', 1, 0, 1)).toMatchObject({ count: 1 })
  await store.close()
})

test('a network file system is told by its number, also by a negative one (statfs(2))', () => {
  for (const type of [0xef53, 0x01021994, 0x794c7630]) expect(isOnNetwork({ type })).toBe(false)
  for (const type of [0x6969, 0xff534d42, -11_317_950]) expect(isOnNetwork({ type })).toBe(true)
})

// The run reports that PostgreSQL is missing.
test.each(findPostgres() === undefined ? [] : ['PostgreSQL'])(
  '%s is examined as at a start: whether it answers, and what a loss of power costs',
  async () => {
    const { env } = await deploy()
    const durable = await startPostgres()
    const levels = async () => {
      const { report } = await examine({ ...env, PLIMSOLL_STORE: durable.url() })
      return /^(\w+) +store/m.exec(report)?.[1]
    }
    expect(await levels()).toBe('ok')
    await durable.send('ALTER SYSTEM SET synchronous_commit = off')
    await durable.send('SELECT pg_reload_conf()')
    await expect.poll(levels).toBe('warning')
    await durable.remove()
    expect(await levels()).toBe('fault')
  },
)
