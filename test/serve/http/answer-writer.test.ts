import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Answer, HeaderFields } from '../../../src/contract/answer.ts'
import type { Sink } from '../../../src/contract/pushed-body.ts'
import { AnswerWriter } from '../../../src/serve/http/answer-writer.ts'

/** Requests that wait for an answer on connections of their own. */
async function waiting(count: number) {
  const responses: ServerResponse[] = []
  const server = createServer((_, response) => void responses.push(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const asked = Array.from({ length: count }, () =>
    fetch(`http://127.0.0.1:${port}`).then(
      async (answered) => `${answered.status} ${await answered.text()} ${answered.headers.get('Connection')}`,
      () => 'cut',
    ),
  )
  await expect.poll(() => responses.length).toBe(count)
  return { responses, asked, close: () => server.closeAllConnections() }
}

test('answers of one iteration are written together at its end; one that cannot be written is cut alone', async () => {
  const { responses, asked, close } = await waiting(3)
  const writer = new AnswerWriter(() => false)
  const answers = [
    Answer.jsonText('1'),
    new Answer(200, new HeaderFields({ 'X-Wrong': 'a\nb' }), '2'),
    Answer.jsonText('3', 404),
  ]
  for (const [nth, answer] of answers.entries()) writer.write(responses[nth] as ServerResponse, answer)
  expect(responses.map(({ headersSent }) => headersSent)).toEqual([false, false, false])
  await nextIteration()
  expect(responses.map(({ headersSent, destroyed }) => headersSent || destroyed)).toEqual([true, true, true])
  expect((await Promise.all(asked)).toSorted()).toEqual(['200 1 keep-alive', '404 3 keep-alive', 'cut'])
  close()
})

test('an answer of a later iteration is written, and the last of a connection announces it (RFC 9112 9.6)', async () => {
  const { responses, asked, close } = await waiting(2)
  let isLast = false
  const writer = new AnswerWriter(() => isLast)
  for (const [nth, response] of responses.entries()) {
    writer.write(response, Answer.jsonText(`${nth}`))
    await nextIteration()
    isLast = true
  }
  expect((await Promise.all(asked)).toSorted()).toEqual(['200 0 keep-alive', '200 1 close'])
  close()
})

/** Two parts, the second when the first is taken. */
const inParts = () =>
  new Answer(200, new HeaderFields(), {
    writeTo(sink: Sink) {
      sink.write('\u00e9', () => sink.write('ab', sink.end))
      return () => {}
    },
  })

test.each([
  ['alone', 1],
  ['behind one that is answered after it', 2],
])(
  'each part of a body is one chunk, for a request that comes %s on its connection (RFC 9112 7.1)',
  async (_, count) => {
    const responses: ServerResponse[] = []
    const server = createServer((_, response) => void responses.push(response)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8')
    let received = ''
    socket.on('data', (text: string) => (received += text))
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(count))
    await expect.poll(() => responses.length).toBe(count)
    const last = responses.pop() as ServerResponse
    new AnswerWriter(() => false).write(last, inParts())
    await nextIteration()
    for (const before of responses) before.end()
    await expect.poll(() => received).toMatch(/\r\n0\r\n\r\n$/)
    const newest = received.slice(received.lastIndexOf('HTTP/1.1 200 OK'))
    expect(newest.slice(newest.indexOf('\r\n\r\n') + 4)).toBe('2\r\n\u00e9\r\n2\r\nab\r\n0\r\n\r\n')
    expect(received.match(/HTTP\/1.1 200 OK/g)).toHaveLength(count)
    socket.destroy()
    server.close()
  },
)
