import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { examine } from '../../../src/serve/doctor/doctor.ts'
import { askService, SPEND_CHECKS, spendQuestion } from '../../../src/serve/doctor/spend.ts'
import { closeServer, listen } from '../../../src/serve/http/listener.ts'
import { readSettings } from '../../../src/serve/settings/settings.ts'
import { CLIENT, open } from '../../kit/sandbox.ts'

const settingsFor = (url: string, changes: Record<string, string> = {}) =>
  readSettings(
    {
      PLIMSOLL_SERVICE_URL: url,
      PLIMSOLL_CLIENT_ID: CLIENT.client_id,
      PLIMSOLL_CLIENT_SECRET: CLIENT.client_secret,
      ...changes,
    },
    String,
  )
const examineService = async (...asked: Parameters<typeof askService>) =>
  examine(SPEND_CHECKS, await askService(...asked)).map(
    ({ level, about, text }) => `${level} ${about} ${text}`,
  )
const listening = async (answer: Parameters<typeof createServer>[1]) => {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.each([
  ['ok service nothing', {}],
  [
    'fault service the service does not accept the client id or the secret',
    { PLIMSOLL_CLIENT_SECRET: 'wrong' },
  ],
  ['fault service the service does not accept the client id or the secret', { PLIMSOLL_CLIENT_ID: 'wrong' }],
  ['fault service it is no answer', { PLIMSOLL_TOKEN_ENCODING: 'json' }],
])('the sandbox is examined by one request: %s', async (line, changes) => {
  const { sandbox } = open({ choices: { enc: 'form_only' } })
  let requests = 0
  const at = { port: 0, host: '127.0.0.1', portSetting: 'P', hostSetting: 'H' }
  const server = await listen((request) => {
    requests += 1
    return sandbox.fetch(request)
  }, at)
  onTestFinished(() => closeServer(server))
  const settings = settingsFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, changes)
  expect(await examineService(settings, Date.now)).toContainEqual(expect.stringContaining(line))
  expect(requests).toBe(1)
})

test.each([
  [404, ''],
  [415, ''],
  [302, ''],
  [200, '<html>'],
])('an answer with status %i is a fault', async (status, body) => {
  const url = await listening((_, response) => response.writeHead(status, { Location: '/x' }).end(body))
  expect(await examineService(settingsFor(url), Date.now)).toContain(
    `fault service it is no answer of a token endpoint: status ${status}`,
  )
})

test.each([
  [0, 'ok clock nothing is wrong'],
  [600, 'warning clock that of the service is 600 s ahead'],
  [-600, 'warning clock that of the service is 600 s behind'],
])('the clock of a service that is %i s ahead: %s', async (aheadSeconds, line) => {
  const nowMs = Date.UTC(2026, 10, 22)
  const url = await listening((_: IncomingMessage, response) =>
    response
      .writeHead(400, { Date: new Date(nowMs + aheadSeconds * 1000).toUTCString() })
      .end('{"error":"invalid_grant"}'),
  )
  expect(await examineService(settingsFor(url), () => nowMs)).toContain(line)
})

test('a service that does not answer is a fault, with the code of why and without what was sent', async () => {
  expect(await examineService(settingsFor('http://127.0.0.1:1'), Date.now)).toContain(
    'fault service no answer came: ECONNREFUSED',
  )
})

test('the question names the address, and no secret', () => {
  const question = spendQuestion(settingsFor('https://service.example'))
  expect(question).toContain('one request to https://service.example/oauth2/token')
  expect(question).not.toContain(CLIENT.client_secret)
})
