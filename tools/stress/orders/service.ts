// The sandbox as the service of an order: it notes every request that arrives.
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../src/sandbox/sandbox.ts'

export interface Arrival {
  process: number
  /** As in the ledger. */
  kind: string
  atMs: number
  /** A refresh has the refresh token that came, and the one in the answer. */
  came?: string | undefined
  issued?: string | undefined
}

export interface Service {
  sandbox: Sandbox
  arrivals: Arrival[]
  arrive: (process: number, request: Request) => Promise<Response>
}

export const isRefresh = ({ kind }: Arrival): boolean => kind === 'token.refresh'

export function openService(options: SandboxOptions): Service {
  const sandbox = createSandbox(options)
  const arrivals: Arrival[] = []
  /** A record of an organization says by its member `served_at` when it was read. */
  const arrive = async (process: number, request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    const sent = new URLSearchParams(await request.clone().text())
    const answer = await sandbox.fetch(request)
    const text = await answer.text()
    const body = JSON.parse(text) as Record<string, unknown>
    const [kind, atMs] = [kindOf(pathname, sent), options.now()]
    const tokens = {
      came: sent.get('refresh_token') ?? undefined,
      issued: body['refresh_token'] as string | undefined,
    }
    arrivals.push({ process, kind, atMs, ...(kind === 'token.refresh' && tokens) })
    const isRecord = /^\/organizations\/\d+$/.test(pathname) && answer.ok
    return new Response(isRecord ? JSON.stringify({ ...body, served_at: atMs }) : text, answer)
  }
  return { sandbox, arrivals, arrive }
}

function kindOf(pathname: string, sent: URLSearchParams): string {
  if (pathname !== '/oauth2/token') return pathname === '/rate_limit' ? 'rate_limit' : 'api.read'
  return sent.get('grant_type') === 'refresh_token' ? 'token.refresh' : 'token.code'
}
