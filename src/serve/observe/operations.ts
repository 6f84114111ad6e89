/** The operations port: liveness, readiness, metrics. It reads no body and sends no request. */
import { closeServer, type Fetch, isInUse, type ListenAt, listen } from '../http/listener.ts'
import type { Settings } from '../settings/settings.ts'
import { hostsOf } from './log.ts'

/** A store that takes longer is not ready. */
const READY_WITHIN_MS = 1000
const CLOSE_MS = 500
const PROMETHEUS = 'text/plain; version=0.0.4; charset=utf-8'
const TEXT = 'text/plain; charset=utf-8'

export interface OperationsParts {
  /** A small query to the store. Rejects if it does not answer. */
  probe: () => Promise<unknown>
  readMetrics: () => Promise<string>
  wait: (ms: number) => Promise<unknown>
  /** Called with a sentence for the operator. */
  onNotice: (notice: string) => void
}

export interface Operations {
  /** Makes the process not ready, so that load balancers send no more requests. */
  drain: () => void
  close: () => Promise<void>
}

export function createOperations(parts: OperationsParts): { fetch: Fetch; drain: () => void } {
  let isDraining = false
  const isReady = shareRunning(() => answersInTime(parts))
  const routes: Record<string, () => Promise<Response>> = {
    '/healthz': async () => plain(200, 'ok'),
    '/readyz': async () => {
      if (isDraining) return plain(503, 'draining')
      return (await isReady()) ? plain(200, 'ok') : plain(503, 'the store does not answer')
    },
    '/metrics': () =>
      parts.readMetrics().then(
        (text) => answer(200, text, { 'Content-Type': PROMETHEUS }),
        () => plain(503, 'the metrics cannot be read'),
      ),
  }
  return {
    drain: () => void (isDraining = true),
    async fetch({ method, url }) {
      const { pathname } = new URL(url)
      const route = Object.hasOwn(routes, pathname) ? routes[pathname] : undefined
      if (route === undefined) return withoutBody(method, plain(404, 'not found'))
      if (method !== 'GET' && method !== 'HEAD')
        return answer(405, 'method not allowed\n', { 'Content-Type': TEXT, Allow: 'GET, HEAD' })
      return withoutBody(method, await route())
    },
  }
}

type OperationsSettings = Pick<
  Settings,
  'operationsPort' | 'operationsHost' | 'isOperationsPortSet' | 'publicUrl' | 'allowedHosts'
>

/**
 * Opens the listener. If another app on this machine has the default port, this one runs without it.
 * @throws Error in one sentence that names the setting to change
 */
export async function openOperations(
  settings: OperationsSettings,
  parts: OperationsParts,
): Promise<Operations> {
  const { operationsPort: port, operationsHost: host, isOperationsPortSet } = settings
  const { fetch, drain } = createOperations(parts)
  const at: ListenAt = {
    port,
    host,
    portSetting: 'PLIMSOLL_OPERATIONS_PORT',
    hostSetting: 'PLIMSOLL_OPERATIONS_HOST',
    hosts: hostsOf(settings),
  }
  try {
    const server = await listen(fetch, at)
    return { drain, close: () => closeServer(server, CLOSE_MS) }
  } catch (error) {
    if (isOperationsPortSet || !isInUse(error)) throw error
    parts.onNotice(`${(error as Error).message} Until then there is no health, readiness or metrics.`)
    return { drain, close: async () => {} }
  }
}

const answersInTime = ({ probe, wait }: OperationsParts): Promise<boolean> =>
  Promise.race([
    probe().then(
      () => true,
      () => false,
    ),
    wait(READY_WITHIN_MS).then(() => false),
  ])

/** Callers during a running call share its result. */
function shareRunning<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => {
    running ??= ask().finally(() => (running = undefined))
    return running
  }
}

const answer = (status: number, body: string, headers: Record<string, string>): Response =>
  new Response(body, {
    status,
    headers: { ...headers, 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' },
  })

const plain = (status: number, text: string): Response =>
  answer(status, `${text}\n`, { 'Content-Type': TEXT })

const withoutBody = (method: string, response: Response): Response =>
  method === 'HEAD' ? new Response(null, response) : response
