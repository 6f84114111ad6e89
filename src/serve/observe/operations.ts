/** The operations port: liveness, readiness, metrics. It reads no body and sends no request. */
import { setTimeout as wait } from 'node:timers/promises'
import { Hono } from 'hono'
import type { Registry } from 'prom-client'
import { closeServer, isInUse, listen } from '../http/listener.ts'
import type { Settings } from '../settings/settings.ts'
import { hostsOf, log } from './log.ts'

/** A store that takes longer is not ready. */
const READY_WITHIN_MS = 1000
const LATE = Symbol('late')
const CLOSE_MS = 500

export interface OperationsParts {
  /** A small query to the store. Rejects if it does not answer. */
  probe: () => Promise<unknown>
  register: Pick<Registry, 'metrics' | 'contentType'>
}

export function createOperations({ probe, register }: OperationsParts) {
  let isDraining = false
  const app = new Hono()
  app.use(async (c, next) => {
    await next()
    c.header('Cache-Control', 'no-store')
    c.header('X-Content-Type-Options', 'nosniff')
  })
  app.get('/healthz', (c) => c.text('ok\n'))
  app.get('/readyz', async (c) => {
    if (isDraining) return c.text('draining\n', 503)
    const found = await Promise.race([probe(), wait(READY_WITHIN_MS, LATE, { ref: false })]).catch(() => LATE)
    return found === LATE ? c.text('the store does not answer\n', 503) : c.text('ok\n')
  })
  app.get('/metrics', async (c) =>
    c.body(await register.metrics(), 200, { 'Content-Type': register.contentType }),
  )
  /** Makes the process not ready, so that load balancers send no more requests. */
  const drain = () => void (isDraining = true)
  return { fetch: (request: Request) => app.fetch(request), drain }
}

/**
 * Opens the listener. If another app on this machine has the default port, this one runs without it.
 * @throws Error in one sentence that names the setting to change
 */
export async function openOperations(settings: Settings, parts: OperationsParts) {
  const { operationsPort: port, operationsHost: host, isOperationsPortSet } = settings
  const { fetch, drain } = createOperations(parts)
  const names = { portSetting: 'PLIMSOLL_OPERATIONS_PORT', hostSetting: 'PLIMSOLL_OPERATIONS_HOST' }
  try {
    const server = await listen(fetch, { port, host, ...names, hosts: hostsOf(settings) })
    return { drain, close: () => closeServer(server, CLOSE_MS) }
  } catch (error) {
    if (isOperationsPortSet || !isInUse(error)) throw error
    const cause = `${(error as Error).message} Until then there is no health, readiness or metrics.`
    log({ level: 'warn', event: 'operations_notice', cause })
    return { drain, close: async () => {} }
  }
}
