/** Clients that are broken on purpose, each in one way, and the promise that has to be seen broken. */
import type { Breaker } from './context.ts'
import type { INVARIANTS } from './invariants.ts'

interface Broken {
  breaks: keyof typeof INVARIANTS
  by: Breaker
}

const isRefresh = (request: Request, body: string) =>
  request.url.endsWith('/oauth2/token') && body.includes('refresh_token')

const again = (request: Request, body: string): Request => {
  const { method, headers } = request
  return new Request(request.url, { method, headers, ...(body !== '' && { body }) })
}

export const BROKEN: Record<string, Broken> = {
  'refreshes twice in parallel': {
    breaks: 'one refresh at a time',
    by: (send) => async (request) => {
      const body = await request.text()
      const [first] = await Promise.all([
        send(again(request, body)),
        isRefresh(request, body) ? send(again(request, body)) : undefined,
      ])
      return first
    },
  },
  'sends every refresh token once more': {
    breaks: 'no refresh token twice, but after a lost answer',
    by: (send) => async (request) => {
      const body = await request.text()
      const answer = await send(again(request, body))
      if (isRefresh(request, body)) await send(again(request, body))
      return answer
    },
  },
  'sends a code twice': {
    breaks: 'no code twice',
    by: (send) => async (request) => {
      const body = await request.text()
      if (body.includes('authorization_code')) await send(again(request, body))
      return send(again(request, body))
    },
  },
  'repeats a 429 by itself': {
    breaks: 'a 429 is never repeated',
    by: (send) => async (request) => {
      const body = await request.text()
      const answer = await send(again(request, body))
      return answer.status === 429 ? send(again(request, body)) : answer
    },
  },
  'polls while nobody asks': {
    breaks: 'nothing is sent that nobody asked for',
    by: (send, { every }) => {
      let last: Request | undefined
      every(60_000, async () => {
        if (last !== undefined) await send(last.clone())
      })
      return (request) => {
        if (request.method === 'GET') last = request.clone()
        return send(request)
      }
    },
  },
  'sends a key beside the token': {
    breaks: 'never two credentials, never one in an address',
    by: (send) => (request) => {
      if (request.headers.has('Authorization')) request.headers.set('X-Service-Api-Key', 'another-key')
      return send(request)
    },
  },
  'asks for something else, too': {
    breaks: 'nothing but the specified endpoints',
    by: (send) => async (request) => {
      if (request.method === 'GET') await send(new Request(new URL('/projects', request.url)))
      return send(request)
    },
  },
}
