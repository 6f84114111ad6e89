// The stand-in for the service: the built sandbox as a process, controlled by its control plane.
import { type ChildProcess, spawn } from 'node:child_process'
import { until } from '../../test/kit/until.ts'
import { freePort } from '../../test/kit/app-process.ts'
import type { Machine } from './machine.ts'

export class Service {
  readonly url: string
  readonly clientId = 'the-application-of-a-deployment'
  readonly clientSecret = 'a-secret-of-a-deployment'
  readonly #port: number
  #child: ChildProcess | undefined

  constructor(port: number) {
    this.#port = port
    this.url = `http://127.0.0.1:${port}`
  }

  async start({ folder, checkout, port }: Machine): Promise<void> {
    this.#child = spawn(process.execPath, ['dist/server/serve.js', '--sandbox'], {
      cwd: checkout,
      stdio: 'ignore',
      env: {
        PATH: process.env.PATH,
        PLIMSOLL_SANDBOX_PORT: `${this.#port}`,
        PLIMSOLL_STORE: `sqlite:${folder}/service/plimsoll.db`,
        PLIMSOLL_PUBLIC_URL: `https://localhost:${port('443')}`,
        PLIMSOLL_CLIENT_ID: this.clientId,
        PLIMSOLL_CLIENT_SECRET: this.clientSecret,
      },
    })
    await until(
      () =>
        this.count().then(
          () => true,
          () => false,
        ),
      30_000,
    )
  }

  endAtOnce(): void {
    this.#child?.kill('SIGKILL')
  }

  async stop(): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  }

  /** Requests to the API, also those without an answer; pages and the token endpoint do not count. */
  async count(): Promise<number> {
    const entries = (await (await this.#control('/ledger')).json()) as { path: string }[]
    return entries.filter(({ path }) => !path.startsWith('/oauth2/')).length
  }

  async isWaiting(): Promise<boolean> {
    const faults = (await (await this.#control('/faults')).json()) as unknown[]
    return faults.length === 0
  }

  /** Delays the next answer of the list of organizations. */
  async answerLate(ms: number): Promise<void> {
    const body = JSON.stringify({ operation: 'organizations', kind: 'delay', ms })
    await this.#control('/faults', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  }

  async answerAtOnce(): Promise<void> {
    await this.#control('/faults', { method: 'DELETE' })
  }

  #control(path: string, init?: RequestInit): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.#port + 1}${path}`, init)
  }
}

export const newService = async (): Promise<Service> => new Service(await freePort())
