// Tests that the doctor names each fault that is planted in a deployment, and sends nothing to the service.
import { chmodSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { join } from 'node:path'
import Database from 'libsql'
import { expect, onTestFinished, test } from 'vitest'
import { runDoctor } from '../../../src/serve/doctor/doctor.ts'
import { openSqlite } from '../../../src/store/sqlite/sqlite.ts'
import { freePort } from '../../kit/app-process.ts'
import { selfSigned } from '../../kit/certificate.ts'
import { file, folder } from '../../kit/temp-folder.ts'

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
  const questions: string[] = []
  const code = await runDoctor({
    environment,
    maySpend: false,
    confirm: async (question) => questions.push(question) > 0,
    write: (text) => (report += text),
    now: Date.now,
  })
  return { report, code, questions }
}

const answers =
  (status: number, body: string): RequestListener =>
  (_, response) =>
    response.writeHead(status, { Connection: 'close' }).end(body)

/** The line that names a fault, and a function that plants it in the settings or around them. */
const FAULTS: Record<string, [RegExp, (deployment: Deployment) => Changes | Promise<Changes>]> = {
  'a name that is no setting': [/settings +PLIMSOLL_STROE is not a setting/, () => ({ PLIMSOLL_STROE: 'x' })],
  'a port that is no number': [/settings +PLIMSOLL_PORT must be/, () => ({ PLIMSOLL_PORT: 'eighty' })],
  'two listeners on one port': [
    /settings +PLIMSOLL_OPERATIONS_PORT wants port/,
    ({ port }) => ({ PLIMSOLL_OPERATIONS_PORT: String(port) }),
  ],
  'no client id': [/settings +PLIMSOLL_CLIENT_ID is needed/, () => ({ PLIMSOLL_CLIENT_ID: undefined })],
  'a secret file that is not there': [
    /settings +PLIMSOLL_CLIENT_SECRET_FILE names a file that cannot be read/,
    () => ({ PLIMSOLL_CLIENT_SECRET_FILE: join(folder, 'none') }),
  ],
  'an empty secret file': [
    /settings +PLIMSOLL_CLIENT_SECRET_FILE names a file that is empty/,
    ({ secretFile }) => writeFileSync(secretFile, '') ?? {},
  ],
  'a public address without encryption': [
    /settings +PLIMSOLL_PUBLIC_URL must be https/,
    () => ({ PLIMSOLL_PUBLIC_URL: 'http://plimsoll.example' }),
  ],
  'a public address with the sandbox': [
    /settings +PLIMSOLL_SERVICE_URL is needed/,
    () => ({ PLIMSOLL_PUBLIC_URL: 'https://plimsoll.example', PLIMSOLL_SERVICE_URL: undefined }),
  ],
  'a secret that every user may read': [
    /secret +every user of this machine may read/,
    ({ secretFile }) => chmodSync(secretFile, 0o644) ?? {},
  ],
  'a secret in quotation marks': [
    /secret +the client secret has quotation marks/,
    ({ secretFile }) => writeFileSync(secretFile, '"a-good-secret"') ?? {},
  ],
  'the client id in place of the secret': [
    /application +PLIMSOLL_CLIENT_ID and the secret are the same/,
    ({ secretFile }) => writeFileSync(secretFile, 'an-app') ?? {},
  ],
  'a public address with another port': [
    /redirect URI people come back from the service to port 1, and the app listens on/,
    () => ({ PLIMSOLL_PUBLIC_URL: 'http://localhost:1' }),
  ],
  'the address of the service for the app': [
    /service +PLIMSOLL_SERVICE_URL and PLIMSOLL_PUBLIC_URL have the same origin/,
    ({ port }) => ({
      PLIMSOLL_PUBLIC_URL: `http://127.0.0.1:${port}`,
      PLIMSOLL_SERVICE_URL: `http://127.0.0.1:${port}/x`,
    }),
  ],
  'https without a trusted proxy': [
    /proxy +https needs a proxy.*PLIMSOLL_TRUST_PROXY is 0/,
    () => ({ PLIMSOLL_PUBLIC_URL: 'https://localhost:1' }),
  ],
  'a public name that no one knows': [
    /https +no name server knows plimsoll\.invalid/,
    () => ({ PLIMSOLL_PUBLIC_URL: 'https://plimsoll.invalid', PLIMSOLL_TRUST_PROXY: '1' }),
  ],
  'a service name that no one knows': [
    /service +no name server knows service\.invalid/,
    () => ({ PLIMSOLL_SERVICE_URL: 'https://service.invalid' }),
  ],
  'a certificate that no browser accepts': [
    /https +browsers will not accept the certificate of .*(SELF_SIGNED|self-signed)/i,
    async () => {
      const server = createTlsServer(selfSigned('localhost', Date.now() + 30 * 86_400_000), answers(200, ''))
      return { PLIMSOLL_PUBLIC_URL: `https://localhost:${await listenOn(server)}`, PLIMSOLL_TRUST_PROXY: '1' }
    },
  ],
  'a port that is in use': [
    /ports +Port \d+ on 127\.0\.0\.1 is in use\n +-> Choose another one with PLIMSOLL_PORT/,
    async () => ({ PLIMSOLL_PORT: String(await listenOn(createTcpServer((socket) => socket.destroy()))) }),
  ],
  'an operations port that is in use': [
    /ports +Port \d+ on 127\.0\.0\.1 is in use\n +-> Choose another one with PLIMSOLL_OPERATIONS_PORT/,
    async () => ({ PLIMSOLL_OPERATIONS_PORT: String(await listenOn(createServer(answers(404, 'no')))) }),
  ],
  'an address of another machine': [/ports +.*PLIMSOLL_HOST/s, () => ({ PLIMSOLL_HOST: '192.0.2.1' })],
  'a store below a file': [
    /store +.*secret is no folder/,
    ({ secretFile }) => ({ PLIMSOLL_STORE: `sqlite:${secretFile}/plimsoll.db` }),
  ],
  'a damaged store': [
    /store +.*damaged\.db cannot be used: file is not a database/,
    () => {
      writeFileSync(join(folder, 'damaged.db'), 'not a database '.repeat(500))
      return { PLIMSOLL_STORE: `sqlite:${folder}/damaged.db` }
    },
  ],
  'a store of a newer version': [
    /store +.*written by a newer Plimsoll/,
    () => {
      const db = new Database(file)
      db.exec('PRAGMA user_version = 9999')
      db.close()
      return {}
    },
  ],
  'a store in memory': [/store +it is in memory/, () => ({ PLIMSOLL_STORE: 'sqlite::memory:' })],
  'a clock that was set back': [
    /clock +the store was written later than now/,
    () => utimesSync(file, new Date(), new Date(Date.now() + 9e6)) ?? {},
  ],
  'an app that runs and is not ready': [
    /app +it is running, and not ready: the store does not answer/,
    async () => {
      const server = createServer((asked, response) =>
        asked.url === '/healthz'
          ? answers(200, 'ok\n')(asked, response)
          : answers(503, 'the store does not answer\n')(asked, response),
      )
      return { PLIMSOLL_OPERATIONS_PORT: String(await listenOn(server)) }
    },
  ],
  'another app at the public address': [
    /public URL +what answers at .* is not this app.*status 502/,
    async ({ port }) => ({
      PLIMSOLL_PUBLIC_URL: `http://localhost:${await listenOn(createServer(answers(502, '<h1>')), port)}`,
    }),
  ],
  'an app with other settings at the public address': [
    /public URL +the app that answers at .* has the redirect URI https:\/\/other\.example\/callback/,
    async ({ port }) => {
      const body = '{"signed_in":false,"authorize":{"redirect_uri":"https://other.example/callback"}}'
      await listenOn(createServer(answers(200, body)), port)
      return {}
    },
  ],
}

test('a deployment without a fault has none, and the service gets nothing', async () => {
  const { env, connections } = await deploy()
  const { report, code, questions } = await examine(env)
  expect(report).not.toMatch(/^fault/m)
  expect(report).toMatch(/ store +.*plimsoll\.db is whole/)
  expect(report).toMatch(/\n\d+ ok, \d+ warnings, 0 faults\n$/)
  expect([code, questions, connections()]).toEqual([0, [], 0])
})

test.each(Object.entries(FAULTS))(
  '%s is named as a fault, and the service gets nothing',
  async (_, [line, plant]) => {
    const deployment = await deploy()
    const changes = await plant(deployment)
    const { report, code } = await examine({ ...deployment.env, ...changes })
    expect(report).toMatch(new RegExp(`^fault +${line.source}`, `m${line.flags}`))
    expect([code, deployment.connections()]).toEqual([1, 0])
    expect(report).not.toContain('a-good-secret')
  },
)
