/** Several processes that serve the app on one port over one store: starts them, replaces each that ends, and stops them. */
import cluster, { type Worker } from 'node:cluster'
import { EventEmitter, once } from 'node:events'
import type { BffConfig } from '../../bff/core/context.ts'
import type { EmbeddedSandbox } from '../../contract/session.ts'
import { log } from '../observe/log.ts'

/** When so many have ended before they listened, one after the other, none is started any more. */
const MOST_FAILURES = 5
/** Before a worker is replaced; doubled with each that ended before it listened. */
const REPLACE_AFTER_MS = 100

export type Service = Pick<BffConfig, 'serviceUrl' | 'clientId' | 'clientSecret' | 'sandbox'>

/** The variable by which the workers know the sandbox of the first process. It is no setting, so it has no prefix of ours. */
const SANDBOX = 'SANDBOX_OF_WORKERS'

/** In a worker: the sandbox that the first process has opened. */
export function sandboxOfWorkers(environment: NodeJS.ProcessEnv): Pick<BffConfig, 'sandbox'> {
  const text = environment[SANDBOX]
  return text ? { sandbox: JSON.parse(text) as EmbeddedSandbox } : {}
}

/** What a worker that cannot start sends to the process that started it. */
interface StartFailure {
  startFailure: string
}

/** Sends the message of a worker that cannot start. Resolves when it has left this process. */
export const reportStartFailure = (startFailure: string): Promise<void> =>
  new Promise((resolve) =>
    process.send?.({ startFailure } satisfies StartFailure, undefined, undefined, () => resolve()),
  )

/** The workers of this process. */
export class Workers {
  readonly #environment: Record<string, string> | undefined
  readonly #events = new EventEmitter()
  readonly #listening = new Set<number>()
  readonly #count: number
  /** Since the last one that listened. */
  #failures = 0
  #reason = 'The workers end before they listen.'
  #isClosing = false

  /** @param sandbox in place of the settings of the workers, so that none opens one of its own */
  constructor(count: number, sandbox?: Service) {
    this.#count = count
    this.#environment = sandbox && {
      PLIMSOLL_SERVICE_URL: sandbox.serviceUrl,
      PLIMSOLL_CLIENT_ID: sandbox.clientId,
      PLIMSOLL_CLIENT_SECRET: sandbox.clientSecret,
      // Empty counts as not set.
      PLIMSOLL_CLIENT_SECRET_FILE: '',
      [SANDBOX]: JSON.stringify(sandbox.sandbox),
    }
  }

  /**
   * Starts them. Where later none can start any more, the process gets an uncaught error.
   * @returns when all listen
   * @throws Error with the message of a worker, where none can start
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

  /** Whether at least one takes requests. */
  get isListening(): boolean {
    return this.#listening.size > 0
  }

  /** Lets each of them finish what it is doing. */
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
