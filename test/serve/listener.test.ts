import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { closeServer, listen } from '../../src/serve/listener.ts'

const settings = { portSetting: 'THE_PORT', hostSetting: 'THE_HOST' }
const answer = () => new Response('here')

test('a listener answers until it is closed', async () => {
  const server = await listen(answer, { port: 0, host: '127.0.0.1', ...settings })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  expect(await (await fetch(url)).text()).toBe('here')
  await closeServer(server)
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test('a port that is in use is named, with the setting to change', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  await expect(listen(answer, { port, host: '127.0.0.1', ...settings })).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is in use. Choose another one with THE_PORT.`,
  )
  other.close()
})

test.each(['192.0.2.1', 'no-such-name.invalid', '1.2.3.4.5'])(
  'the host %s is not on this machine: the setting of the host is named, and its value is not',
  async (host) => {
    const opening = listen(answer, { port: 0, host, ...settings })
    await expect(opening).rejects.toThrow('THE_HOST is not an address of this machine. Choose another one.')
  },
)
