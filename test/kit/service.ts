// A service that follows the document without the sandbox, and a sign-in to it without a browser.
import { createServer, request, type RequestOptions } from 'node:http'
import type { AppProcess } from './app-process.ts'
import { endLater } from './cleanup.ts'

export const PAGE = { 'X-CSRF': '1', 'Sec-Fetch-Site': 'same-origin' }

interface Reply {
  status?: number
  headers?: Record<string, string>
  body?: string
}

interface Asked {
  method: string
  path: string
  body: string
  authorization: string | undefined
}

/** Answers a request; with `undefined` the service hangs. */
export type ServiceAnswer = (
  path: string,
  method: string,
  asked: Asked,
) => Reply | undefined | Promise<Reply | undefined>

export async function openService(answer: ServiceAnswer) {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', () => {
      const [method, path] = [request.method ?? '', request.url ?? '']
      const entry = { method, path, body, authorization: request.headers.authorization }
      asked.push(entry)
      void Promise.resolve(answer(path, method, entry)).then((reply) => {
        if (reply !== undefined)
          response
            .writeHead(reply.status ?? 200, { 'Content-Type': 'application/json', ...reply.headers })
            .end(reply.body)
        return reply
      })
    })
  })
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  )
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections())
  return { url: `http://127.0.0.1:${port}/tasks/api/`, asked, close }
}

/** Signs in as a browser would, at any service: the code is passed on directly. @param state is used once */
export async function signIn(
  { url }: Pick<AppProcess, 'url'>,
  organization_id: string,
  state = 'a-state-of-this-test-0123456789',
) {
  const headers = { ...PAGE, 'Content-Type': 'application/json' }
  const login = await fetch(`${url}/bff/login`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ state, organization_id }),
  })
  const pending = login.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const reply = await fetch(`${url}/bff/session`, {
    method: 'POST',
    headers: { ...headers, Cookie: pending },
    body: JSON.stringify({ state, code: 'a-code' }),
  })
  return { reply, call: callerWith(url, reply) }
}

export function callerWith(url: string, reply: Response) {
  const cookie = reply.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .find((pair) => /^(__Host-Http-plimsoll|plimsoll-http-\d+)=/.test(pair))
  return (path: string, spend = '0', signal?: AbortSignal) =>
    fetch(url + path, {
      headers: { ...PAGE, Cookie: cookie ?? '', 'X-Plimsoll-Spend': spend },
      ...(signal && { signal }),
    })
}

/** The status of an answer over a connection of its own. */
export const ask = (url: string, options: RequestOptions = {}): Promise<number | undefined> =>
  new Promise((resolve, reject) =>
    request(url, { agent: false, headers: PAGE, ...options }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end(),
  )

// A service that gives tokens and a record to everyone, for tests whose subject is the app.

export const TOKENS = { access_token: 'at', token_type: 'Bearer', expires_in: 3600, refresh_token: 'rt' }

const giveEveryone: ServiceAnswer = (path) => ({
  body: path.endsWith('/token') ? JSON.stringify(TOKENS) : '{"id": 7}',
})

/** Opens the service until the file ends. @returns it, and the settings of an app that uses it */
export async function openTokenService(answer = giveEveryone) {
  const service = await openService(answer)
  endLater(service.close)
  const settings = {
    PLIMSOLL_SERVICE_URL: service.url,
    PLIMSOLL_CLIENT_ID: 'an-app',
    PLIMSOLL_CLIENT_SECRET: 'canary-of-the-operator',
  }
  return { service, settings }
}
