// The built app, its operations port and its sandbox, asked for names that are theirs and for others.
import { networkInterfaces } from 'node:os'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { wholeTest } from '../_whole.ts'
import { openApp } from '../kit/cleanup.ts'
import { PAGE } from '../kit/service.ts'
import { MEMORY, openAlone } from '../kit/sandbox-process.ts'

const ask = (url: string, Host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) =>
    request(url, { agent: false, headers: { ...PAGE, Host } }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
      .on('error', reject)
      .end(),
  )
const portOf = (url: string) => new URL(url).port

test('a page whose name was resolved to us reads nothing of app, metrics and sandbox (attack 22)', async () => {
  const { url, operationsUrl, sandboxUrl, output } = await openApp({})
  for (const address of [
    `${url}/`,
    `${url}/bff/session`,
    `${url}/nothing`,
    `${operationsUrl}/metrics`,
    `${operationsUrl}/healthz`,
    `${sandboxUrl}/`,
    `${sandboxUrl}/settings/applications`,
    `${sandboxUrl}/organizations`,
  ]) {
    expect([address, await ask(address, `rebound.example:${portOf(address)}`)]).toEqual([address, 421])
    for (const own of ['localhost', '127.0.0.1', '[::1]', 'LOCALHOST.'])
      expect([address, own, await ask(address, `${own}:${portOf(address)}`)]).not.toEqual([address, own, 421])
  }
  expect(await ask(`${url}/bff/session`, `localhost:${portOf(url)}`)).toBe(200)
  expect(await ask(`${operationsUrl}/metrics`, 'localhost')).toBe(200)
  expect(await ask(`${sandboxUrl}/`, 'localhost')).toBe(200)
  await expect.poll(output).toContain('PLIMSOLL_ALLOWED_HOSTS')
  expect(output()).not.toContain('rebound.example')
})

wholeTest('the public URL and PLIMSOLL_ALLOWED_HOSTS name what else is answered (settings)', async () => {
  const { url, operationsUrl } = await openApp({
    PLIMSOLL_SERVICE_URL: 'https://tasks.example',
    PLIMSOLL_CLIENT_ID: 'an-app',
    PLIMSOLL_CLIENT_SECRET: 'a-secret',
    PLIMSOLL_PUBLIC_URL: 'https://plimsoll.example.com',
    PLIMSOLL_ALLOWED_HOSTS: 'plimsoll-0.plimsoll, 10.0.0.5',
  })
  for (const address of [`${url}/bff/session`, `${operationsUrl}/metrics`])
    for (const [host, status] of [
      ['plimsoll.example.com', 200],
      ['plimsoll-0.plimsoll:9464', 200],
      ['10.0.0.5:9464', 200],
      ['tasks.example', 421],
    ] as const)
      expect([address, host, await ask(address, host)]).toEqual([address, host, status])
})

const outside = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === 'IPv4' && !one.internal)?.address

wholeTest('a sandbox on all addresses answers its own and those of the setting (check 69)', async () => {
  const settings = { ...MEMORY, PLIMSOLL_HOST: '0.0.0.0', PLIMSOLL_ALLOWED_HOSTS: 'sandbox.internal' }
  const { port } = await openAlone(settings, ['--any-address'])
  const rows: [string, string, number][] = [
    ['127.0.0.1', 'sandbox.internal:4000', 200],
    ['127.0.0.1', 'rebound.example', 421],
    ['127.0.0.1', '192.0.2.1', 421],
  ]
  if (outside !== undefined) rows.push([outside, outside, 200], [outside, 'rebound.example', 421])
  for (const [address, host, status] of rows)
    expect([address, host, await ask(`http://${address}:${port}/`, host)]).toEqual([address, host, status])
  // The control plane is on this machine only, whatever the setting allows.
  expect(await ask(`http://127.0.0.1:${port + 1}/clock`, 'sandbox.internal')).toBe(421)
})
