// Raw requests to listeners, since no client sends most of these.
import { afterAll, describe, expect, test } from 'vitest'
import { allowHosts } from '../../../src/serve/http/hosts.ts'
import { type Fetch, LIMITS } from '../../../src/serve/http/listener.ts'
import { closeAll, dial, listenAnywhere } from '../_sockets.ts'

const asked: string[] = []
const noted: number[] = []
const handler: Fetch = ({ url }) => new Response(note(url))
const note = (url: string) => {
  asked.push(url)
  return 'here'
}
afterAll(closeAll)

/** @returns the statuses of all answers until the connection ends, and their text */
async function send(port: number, bytes: string) {
  const text = await dial(port, bytes).closed
  return { statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, code]) => Number(code)), text }
}

describe('a listener', async () => {
  const hosts = {
    allows: allowHosts(['plimsoll.example.com', '10.0.0.5', 'fd00::5']),
    onRefused: () => void noted.push(1),
  }
  const { port } = await listenAnywhere(handler, LIMITS, hosts)
  const get = (head: string, target = '/', version = '1.1') =>
    send(port, `GET ${target} HTTP/${version}\r\n${head}Connection: close\r\n\r\n`)

  test.each([
    'plimsoll.example.com',
    'plimsoll.example.com.',
    '10.0.0.5:9464',
    'localhost',
    'localhost:1',
    '127.0.0.1:3000',
    '[::1]:3000',
  ])('answers the host %s (RFC 9110 7.2)', async (host) => {
    expect((await get(`Host: ${host}\r\n`)).statuses).toEqual([200])
  })

  test.each([
    'evil.example',
    'localhost.evil.example',
    'plimsoll.example.com.evil.example',
    'xplimsoll.example.com',
    '10.0.0.6',
    '2130706433',
  ])('refuses the host %s with 421, and the handler gets nothing (RFC 9110 15.5.20)', async (host) => {
    asked.length = 0
    const before = noted.length
    const { statuses, text } = await get(`Host: ${host}\r\n`)
    expect([statuses, asked, noted.length - before]).toEqual([[421], [], 1])
    expect(text).toContain('PLIMSOLL_ALLOWED_HOSTS')
    expect(text).toMatch(/\r\nCache-Control: no-store\r\n/)
    expect(text).not.toContain(host)
  })

  test.each([
    ['no Host', ''],
    ['two', 'Host: localhost\r\nHost: evil.example\r\n'],
    ['two in the other order', 'Host: evil.example\r\nHost: localhost\r\n'],
    ['one twice', 'Host: localhost\r\nHost: localhost\r\n'],
    ['a list', 'Host: localhost, localhost\r\n'],
    ['an empty one', 'Host:\r\n'],
    ['a user', 'Host: evil.example@localhost\r\n'],
    ['an address', 'Host: http://localhost\r\n'],
  ])('refuses a request with %s as Host with 400 (RFC 9112 3.2)', async (_what, head) => {
    asked.length = 0
    expect((await get(head)).statuses).toEqual([400])
    expect(asked).toEqual([])
  })

  test('a foreign host in an absolute address counts, whatever the header says (RFC 9112 3.2.2)', async () => {
    const own = 'Host: localhost\r\n'
    expect((await get(own, 'http://localhost:3000/')).statuses).toEqual([200])
    expect((await get(own, 'https://PLIMSOLL.example.com/a?b')).statuses).toEqual([200])
    asked.length = 0
    expect((await get(own, 'http://evil.example/')).statuses).toEqual([421])
    expect((await get(own, 'HTTP://evil.example')).statuses).toEqual([421])
    expect((await get(own, 'http://localhost@evil.example/')).statuses).toEqual([400])
    expect((await get('Host: evil.example\r\n', 'http://localhost/')).statuses).toEqual([421])
    expect(asked).toEqual([])
  })

  test('HTTP/1.0 may lack a Host, as checks of load balancers do, and may not name another (RFC 9112 3.2)', async () => {
    expect((await get('', '/', '1.0')).statuses).toEqual([200])
    expect((await get('Host: evil.example\r\n', '/', '1.0')).statuses).toEqual([421])
    expect((await get('', 'http://evil.example/', '1.0')).statuses).toEqual([421])
  })

  test('every method and path is refused alike, a HEAD without a body, and the connection stays usable', async () => {
    asked.length = 0
    const foreign = 'Host: evil.example\r\n'
    const { statuses, text } = await send(
      port,
      `POST /bff/login HTTP/1.1\r\n${foreign}Content-Length: 4\r\n\r\nabcd` +
        `OPTIONS * HTTP/1.1\r\n${foreign}\r\n` +
        `HEAD /a HTTP/1.1\r\n${foreign}\r\n` +
        `GET /last HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    )
    expect(statuses).toEqual([421, 421, 421, 200])
    expect(asked.map((url) => new URL(url).pathname)).toEqual(['/last'])
    expect(text.match(/This server is not set up/g)).toHaveLength(2)
  })

  test('after an allowed request another host on the same connection is refused (RFC 9110 7.4)', async () => {
    const { statuses } = await send(
      port,
      `GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n` +
        `GET /b HTTP/1.1\r\nHost: evil.example\r\n\r\n` +
        `GET /c HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    )
    expect(statuses).toEqual([200, 421, 200])
  })

  test('HTTP/2 is not spoken, so no :authority arrives (RFC 9113 3.4)', async () => {
    asked.length = 0
    const { statuses } = await send(port, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
    expect([statuses, asked]).toEqual([[400], []])
  })
})
