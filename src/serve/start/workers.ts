/** Runs several processes that serve the app on one port over one store: starts, replaces and stops them. */
import cluster, { type Worker } from 'node:cluster'
import { EventEmitter, once } from 'node:events'
import type { BffConfig } from '../../bff/core/context.ts'
import type { EmbeddedSandbox } from '../../contract/session.ts'
import { log } from '../observe/log.ts'

/** After so many workers in a row have ended before they listened, no more are started. */
const MOST_FAILURES = 5
/** Delay before a worker is replaced; it doubles with each that ended before it listened. */
const REPLACE_AFTER_MS = 100

export type Service = Pick<BffConfig, 'serviceUrl' | 'clientId' | 'clientSecret' | 'sandbox'>

/** Passes the first process's sandbox to workers. It is no setting, so it lacks our prefix. */
const SANDBOX = 'SANDBOX_OF_WORKERS'

/** In a worker: the sandbox that the first process has opened. */
export function sandboxOfWorkers(environment: NodeJS.ProcessEnv): Pick<BffConfig, 'sandbox'> {
  const text = environment[SANDBOX]
  return text ? { sandbox: JSON.parse(text) as EmbeddedSandbox } : {}
}

interface StartFailure {
  startFailure: string
}

/** Sends the message of a worker that cannot start. Resolves when it has left this process. */
export const reportStartFailure = (startFailure: string): Promise<void> =>
  new Promise((resolve) =>
    process.send?.({ startFailure } satisfies StartFailure, undefined, undefined, () => resolve()),
  )

export class Workers {
  readonly #environment: Record<string, string> | undefined
  readonly #events = new EventEmitter()
  readonly #listening = new Set<number>()
  readonly #count: number
  /** Failures since the last worker that listened. */
  #failures = 0
  #reason = 'The workers end before they listen.'
  #isClosing = false

  /** @param sandbox replaces the workers' settings, so that none opens its own */
  constructor(count: number, sandbox?: Service) {
    this.#count = count
    this.#environment = sandbox && {
      PLIMSOLL_SERVICE_URL: sandbox.serviceUrl,
      PLIMSOLL_CLIENT_ID: sandbox.clientId,
      PLIMSOLL_CLIENT_SECRET: sandbox.clientSecret,
      // An empty value counts as not set.
      PLIMSOLL_CLIENT_SECRET_FILE: '',
      [SANDBOX]: JSON.stringify(sandbox.sandbox),
    }
  }

  /**
   * Resolves when all listen. If later no worker can start, the process gets an uncaught error.
   * @throws Error with the message of a worker if none can start
   */
  async start(): Promise<void> {
    cluster.setupPrimary({ args: [] })
    cluster.on('listening', ({ id }) => {
      this.#failures = 0
      this.#listening.add(id)
      if (this.#listening.size === this.#count) this.#events.emit('listening')
    })
    cluster.on('message', (_, { startFailure }: Partial<StartFailure>) => {
      if (startFailure !== undefined) this.#reason = startFailure
    })
    cluster.on('exit', (worker, code, signal: string | null) => this.#replace(worker, signal ?? code))
    const listening = once(this.#events, 'listening')
    for (let started = 0; started < this.#count; started += 1) this.#fork()
    await listening
  }

  /** At least one worker takes requests. */
  get isListening(): boolean {
    return this.#listening.size > 0
  }

  /** Stops the workers, after each has finished its work. */
  async close(): Promise<void> {
    this.#isClosing = true
    const running = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isDead() === false)
    await Promise.all(
      running.map(async (worker) => {
        const ended = once(worker as Worker, 'exit')
        worker?.process.kill('SIGTERM')
        await ended
      }),
    )
  }

  #fork(): void {
    if (!this.#isClosing) cluster.fork(this.#environment)
  }

  #replace({ id }: Worker, reason: string | number): void {
    if (this.#isClosing) return
    if (!this.#listening.delete(id)) this.#failures += 1
    log({ level: 'warn', event: 'worker_ended', cause: `worker ${id} ended: ${reason}` })
    if (this.#failures >= MOST_FAILURES) this.#events.emit('error', new Error(this.#reason))
    else setTimeout(() => this.#fork(), REPLACE_AFTER_MS * 2 ** this.#failures)
  }
}
