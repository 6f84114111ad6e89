// The built app, its operations port and its sandbox, asked for names that are theirs and for others.
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { openApp } from '../kit/cleanup.ts'
import { PAGE } from '../kit/service.ts'

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
