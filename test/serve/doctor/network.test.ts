import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { examineNetwork } from '../../../src/serve/doctor/network.ts'
import { openOperations } from '../../../src/serve/observe/operations.ts'
import { readSettings } from '../../../src/serve/settings/settings.ts'
import { selfSigned } from '../../kit/certificate.ts'

const DAY_MS = 86_400_000
const SERVICE = {
  PLIMSOLL_SERVICE_URL: 'http://127.0.0.1:1',
  PLIMSOLL_CLIENT_ID: 'a',
  PLIMSOLL_CLIENT_SECRET: 'b',
}
async function listenOn(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())))
  return (server.address() as AddressInfo).port
}
const examine = (environment: Record<string, string>) =>
  examineNetwork(readSettings({ ...SERVICE, ...environment }, String), Date.now())

test('the running app is found by an operations port on all addresses, which answers localhost (attack 22)', async () => {
  const { close, operationsPort } = await openedOperations()
  onTestFinished(close)
  const found = await examine({
    PLIMSOLL_OPERATIONS_PORT: String(operationsPort),
    PLIMSOLL_OPERATIONS_HOST: '0.0.0.0',
  })
  expect(found).toContainEqual(expect.objectContaining({ level: 'ok', about: 'app' }))
})

async function openedOperations() {
  const server = createServer()
  const operationsPort = await listenOn(server)
  await new Promise((resolve) => server.close(resolve))
  const settings = readSettings({ ...SERVICE, PLIMSOLL_OPERATIONS_HOST: '0.0.0.0' }, String)
  const opened = await openOperations(
    { ...settings, operationsPort, isOperationsPortSet: true },
    { probe: async () => 1, readMetrics: async () => '', wait, onNotice: () => {} },
  )
  return { ...opened, operationsPort }
}

test('the preset operations port in use is a warning, since the app starts without it', async () => {
  const operationsPort = await listenOn(createServer((_, response) => response.end('another')))
  const settings = { ...readSettings(SERVICE, String), port: 0, operationsPort }
  const levels = async (isOperationsPortSet: boolean) =>
    (await examineNetwork({ ...settings, isOperationsPortSet }, Date.now()))
      .filter(({ about }) => about === 'ports')
      .map(({ level }) => level)
  expect(await levels(false)).toEqual(['warning'])
  expect(await levels(true)).toEqual(['fault'])
})

test('behind a proxy its name is looked up, since the service may have one that only it knows', async () => {
  const HTTPS_PROXY = 'http://proxy.invalid:3128'
  const [found] = await examine({ PLIMSOLL_SERVICE_URL: 'https://service.invalid', HTTPS_PROXY })
  expect(found).toMatchObject({ level: 'fault', about: 'proxy', text: 'no name server knows proxy.invalid' })
})

test('nothing at an https address is a warning, since the proxy may not run yet', async () => {
  const closed = await listenOn(createServer())
  const found = await examine({ PLIMSOLL_PUBLIC_URL: `https://127.0.0.1:${closed === 1 ? 2 : 1}` })
  expect(found.at(-1)).toMatchObject({ level: 'warning', about: 'https' })
})

test.each([
  ['another name', 'other.example', 30 * DAY_MS],
  ['an end that has passed', 'localhost', -DAY_MS],
])('a certificate with %s is a fault', async (_, name, endsInMs) => {
  const server = createTlsServer(selfSigned(name, Date.now() + endsInMs), (_, response) => response.end())
  const port = await listenOn(server)
  const found = await examine({ PLIMSOLL_PUBLIC_URL: `https://localhost:${port}` })
  expect(found.at(-1)).toMatchObject({ level: 'fault', about: 'https' })
})
