import { createServer, request, type Server } from 'node:http'
import { type AddressInfo } from 'node:net'
import { Registry } from 'prom-client'
import { expect, onTestFinished, test } from 'vitest'
import {
  createOperations,
  openOperations,
  type OperationsParts,
} from '../../../src/serve/observe/operations.ts'
import { readSettings } from '../../../src/serve/settings/settings.ts'
import { freePort } from '../../kit/app-process.ts'

const PARTS: OperationsParts = {
  probe: async () => 1,
  register: { metrics: async () => 'metric 1\n', contentType: new Registry().contentType },
}
const NAMES = {
  ...readSettings({}),
  publicUrl: 'https://plimsoll.example.com',
  allowedHosts: ['10.0.0.5', 'plimsoll-0'],
}
const listening = () =>
  new Promise<Server>((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => resolve(server))
  })

async function open(parts: Partial<OperationsParts> = {}) {
  const operationsPort = await freePort()
  const opened = await openOperations(
    { ...NAMES, operationsPort, operationsHost: '127.0.0.1', isOperationsPortSet: true },
    { ...PARTS, ...parts },
  )
  onTestFinished(opened.close)
  const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${operationsPort}${path}`, init)
  return { ...opened, operationsPort, ask }
}

test('health, readiness and metrics are answered, and may not be stored', async () => {
  const { ask } = await open()
  for (const [path, body] of [
    ['/healthz', 'ok\n'],
    ['/readyz', 'ok\n'],
    ['/metrics', 'metric 1\n'],
  ]) {
    const answer = await ask(path ?? '')
    expect([answer.status, answer.headers.get('Cache-Control'), await answer.text()]).toEqual([
      200,
      'no-store',
      body,
    ])
    expect(await (await ask(path ?? '', { method: 'HEAD' })).text()).toBe('')
  }
  expect((await ask('/metrics')).headers.get('Content-Type')).toBe('text/plain; version=0.0.4; charset=utf-8')
})

test('another method or address is 404, and no body is waited for', async () => {
  const { ask, operationsPort: port } = await open()
  for (const path of ['/', '/healthz/', '/bff/session', '/constructor', '/metrics/x'])
    expect((await ask(path)).status).toBe(404)
  const unfinished = request({ port, path: '/healthz', method: 'PUT', headers: { 'Content-Length': 9000 } })
  unfinished.on('error', () => {}).flushHeaders()
  const status = await new Promise((resolve) => unfinished.once('response', (r) => resolve(r.statusCode)))
  unfinished.destroy()
  expect(status).toBe(404)
})

test.each([
  ['evil.example', 421],
  ['evil.example:9464', 421],
  ['10.0.0.6:9464', 421],
  ['localhost, evil.example', 400],
  ['10.0.0.5:9464', 200],
  ['plimsoll-0:9464', 200],
  ['Plimsoll.Example.com.', 200],
  ['localhost:9464', 200],
])('health and metrics for the host %s are %d (RFC 9110 15.5.20, attack 22)', async (Host, status) => {
  const { operationsPort: port } = await open()
  for (const path of ['/healthz', '/readyz', '/metrics', '/nothing']) {
    const answered = new Promise<number | undefined>((resolve, reject) =>
      request({ port, path, headers: { Host } }, (answer) => resolve(answer.resume().statusCode))
        .on('error', reject)
        .end(),
    )
    expect(await answered).toBe(status === 200 && path === '/nothing' ? 404 : status)
  }
})

test('a store that fails or does not answer within a second is not ready', async () => {
  let probe = (): Promise<unknown> => Promise.reject(new Error('gone'))
  const { ask } = await open({ probe: () => probe() })
  const failed = await ask('/readyz')
  expect([failed.status, await failed.text()]).toEqual([503, 'the store does not answer\n'])
  probe = () => new Promise(() => {})
  expect((await ask('/readyz')).status).toBe(503)
  expect((await ask('/healthz')).status).toBe(200)
  probe = async () => 1
  expect((await ask('/readyz')).status).toBe(200)
})

test('from the start of a stop it is not ready, without asking the store', async () => {
  let asked = 0
  const { fetch, drain } = createOperations({ ...PARTS, probe: async () => (asked += 1) })
  drain()
  const answer = await fetch(new Request('http://localhost/readyz'))
  expect([answer.status, await answer.text(), asked]).toEqual([503, 'draining\n', 0])
  expect((await fetch(new Request('http://localhost/healthz'))).status).toBe(200)
})

test('a port that is in use is named with its setting, and only one that was chosen stops the start', async () => {
  const other = await listening()
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo
  const settings = { ...NAMES, operationsPort: port, operationsHost: '127.0.0.1', isOperationsPortSet: true }
  const inUse = `Port ${port} on 127.0.0.1 is in use. Choose another one with PLIMSOLL_OPERATIONS_PORT.`
  await expect(openOperations(settings, PARTS)).rejects.toThrow(new Error(inUse))
  const { drain, close } = await openOperations({ ...settings, isOperationsPortSet: false }, PARTS)
  drain()
  await close()
  const wrong = { ...settings, operationsHost: '203.0.113.1', isOperationsPortSet: false }
  await expect(openOperations(wrong, PARTS)).rejects.toThrow('PLIMSOLL_OPERATIONS_HOST')
})
