/** Runs several processes that serve the app on one port over one store: starts, replaces and stops them. */
import cluster, { type Worker } from 'node:cluster'
import { EventEmitter, once } from 'node:events'
import type { BffConfig } from '../../bff/core/context.ts'
import { describe } from '../../bff/core/problem.ts'
import type { EmbeddedSandbox } from '../../contract/session.ts'
import { isListenFailure } from '../http/listener.ts'
import { log } from '../observe/log.ts'
import { replaceAfterMs } from './replacement.ts'

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
  /** Another start would end in the same way. */
  isFinal: boolean
}

/** Sends the message of a worker that cannot start. Resolves when it has left this process. */
export const reportStartFailure = (error: Error): Promise<void> =>
  new Promise((resolve) => {
    const failure: StartFailure = { startFailure: error.message, isFinal: isListenFailure(error) }
    process.send?.(failure, undefined, undefined, () => resolve())
  })

interface Stop {
  isStop: true
}

/** In a worker: the first process asks it to stop, by a message because Windows has no signal for it. */
export const onStop = (stop: () => void): void =>
  void process.on('message', ({ isStop }: Partial<Stop>) => isStop && stop())

export class Workers {
  readonly #environment: Record<string, string> | undefined
  readonly #events = new EventEmitter()
  readonly #listening = new Set<number>()
  readonly #startFailures = new Map<number, StartFailure>()
  readonly #count: number
  /** Failures since the last worker that listened. */
  #failures = 0
  #hasListened = false
  #isDegraded = false
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
   * Resolves when all listen, or when some listen and the others cannot start.
   * @throws Error with the message of a worker if none can start
   */
  async start(): Promise<void> {
    cluster.setupPrimary({ args: [] })
    cluster.on('listening', ({ id }) => this.#noteListening(id))
    cluster.on('message', ({ id }, message: Partial<StartFailure>) => {
      if (message.startFailure !== undefined) this.#startFailures.set(id, message as StartFailure)
    })
    cluster.on('exit', ({ id }, code, signal: string | null) => this.#noteEnd(id, String(signal ?? code)))
    const opened = once(this.#events, 'open')
    for (let started = 0; started < this.#count; started += 1) this.#fork()
    await opened
  }

  /** At least one worker takes requests. */
  get isListening(): boolean {
    return this.#listening.size > 0
  }

  /** Workers that should take requests, and do not. */
  get missing(): number {
    return this.#count - this.#listening.size
  }

  /** Stops the workers, after each has finished its work. */
  async close(): Promise<void> {
    this.#isClosing = true
    const running = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isDead() === false)
    await Promise.all(
      running.map(async (worker) => {
        const ended = once(worker as Worker, 'exit')
        worker?.send({ isStop: true } satisfies Stop, undefined, undefined, () => {})
        await ended
      }),
    )
  }

  /** A failure, as of a machine without room for another process, counts as a worker that ended. */
  #fork(): void {
    if (this.#isClosing) return
    try {
      const worker = cluster.fork(this.#environment)
      worker.on('error', (error) => {
        // A started process emits an exit too; another error is one of a message to a process that has ended.
        if (worker.process.pid === undefined) this.#noteEnd(worker.id, describe(error))
      })
    } catch (error) {
      this.#noteEnd(0, describe(error))
    }
  }

  #noteListening(id: number): void {
    this.#failures = 0
    this.#hasListened = true
    this.#listening.add(id)
    if (this.missing > 0) return
    if (this.#isDegraded) log({ level: 'info', event: 'workers_recovered' })
    this.#isDegraded = false
    this.#events.emit('open')
  }

  /** @param end a signal, an exit code, or why there is no process */
  #noteEnd(id: number, end: string): void {
    if (this.#isClosing) return
    const { startFailure, isFinal = false } = this.#startFailures.get(id) ?? {}
    this.#startFailures.delete(id)
    if (!this.#listening.delete(id)) this.#failures += 1
    const inARow = this.#failures
    const delayMs = replaceAfterMs({ inARow, hasListened: this.#hasListened, isFinal })
    if (delayMs === undefined) return this.#giveUp(startFailure)
    const cause = startFailure ?? end
    log({ level: 'warn', event: 'worker_ended', cause: `worker ${id} ended: ${cause}` })
    if (inARow > 0 && this.#hasListened) this.#degrade(cause)
    setTimeout(() => this.#fork(), delayMs)
  }

  #giveUp(reason = 'The workers end before they listen.'): void {
    this.#isClosing = true
    this.#events.emit('error', new Error(reason))
  }

  /** Logs once that replacements fail, until all workers listen again. */
  #degrade(reason: string): void {
    if (this.#isDegraded) return
    this.#isDegraded = true
    const cause = `${this.#listening.size} of ${this.#count} workers listen, others cannot start: ${reason}`
    log({ level: 'error', event: 'workers_degraded', cause })
    this.#events.emit('open')
  }
}
