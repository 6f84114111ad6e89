/** Reconnects by itself, and rejects calls while it has no connection. */
import { randomUUID } from 'node:crypto'
import { Problem } from '../../contract/problem.ts'
import { checkServer } from './check.ts'
import { type Client, evaluate, isAnswer, reach, sendOf, TimedOut, within } from './client.ts'
import { nodesOf, urlAt } from './cluster.ts'
import { CHANGES, LOST, NEWER, type Script } from './scripts/lua.ts'
import { MAINTENANCE_SCRIPTS } from './scripts/maintenance.ts'

const RECONNECT_AFTER_MS = 250
/** Limit for the tries of one call while other processes notice the same data loss. */
const MOST_ADOPTIONS = 3
/**
 * Errors that a new connection may cure, since the server fails over or the slot moved to another node.
 * Before Redis 7, other words may precede them in errors of a script.
 */
const IS_CURED_BY_CONNECTING = /\b(READONLY|MOVED|ASK|CLUSTERDOWN|MASTERDOWN|NOAUTH)\b/

export interface ConnectionEvents {
  /** Called after a change by this process or another one. Without topics, any topic may have changed. */
  onChange: (topics?: readonly string[]) => void
  /** Called when the connection works, before all other calls: restores data that the store may have lost. */
  onAdopted: (run: Connection['run']) => Promise<void>
  /** Called with a sentence for the operator, when it differs from the last one. */
  onNotice: (notice: string) => void
}

/** The answer of a script: the number of the newest change, the topics that it changed, and its result. */
type Reply = [version: number, topics: string[], result: unknown]

export class Connection {
  readonly #url: string
  readonly #events: ConnectionEvents
  /** Identifies this process in the messages that it publishes. */
  readonly #origin = randomUUID()
  #client: Client | undefined
  /** The reasons why connections were given up. */
  readonly #lost = new WeakMap<Client, Error>()
  #failure = new Error('not connected to Redis yet')
  #reconnecting: NodeJS.Timeout | undefined
  #adopting: Promise<void> | undefined
  /** The configured address and the nodes of its cluster, tried in turn. */
  #addresses: string[]
  #attempts = 0
  #isClosed = false
  #notice = ''
  #epoch = ''
  #version = 0
  #fence = 0

  constructor(url: string, events: ConnectionEvents) {
    this.#url = url
    this.#addresses = [url]
    this.#events = events
  }

  /** @throws Error with the reason */
  async open(): Promise<void> {
    await this.#connect()
  }

  /** Runs a script atomically. @returns its result. @throws Problem `store_unavailable` */
  readonly run = async (script: Script, ...args: (string | number)[]): Promise<unknown> => {
    try {
      for (let tries = 1; ; tries += 1) {
        await this.#adopting
        const answer = await this.#run(script, args).catch((error: unknown) => {
          if (!isAnswer(error, LOST) || tries === MOST_ADOPTIONS) throw error
          return LOST
        })
        if (answer !== LOST) return answer
        await (this.#adopting ??= this.#adoptAgain())
      }
    } catch (error) {
      throw unavailable(error)
    }
  }

  /** Remembers a fencing number: later ones must be higher, even if the store loses it. */
  sawFence(fence: number): void {
    this.#fence = Math.max(this.#fence, fence)
  }

  /** Waits for running calls. */
  async close(): Promise<void> {
    const client = this.#client
    this.#isClosed = true
    this.#client = undefined
    this.#failure = new Error('the store is closed')
    clearTimeout(this.#reconnecting)
    if (client) await within(client.close()).catch(() => client.destroy())
  }

  async #run(script: Script, args: readonly (string | number)[], client = this.#client): Promise<unknown> {
    const seen = [this.#epoch, this.#version, this.#origin]
    const [version, topics, result] = (await this.#evaluate(client, script, [...seen, ...args])) as Reply
    // On one connection, Redis announces a change before it answers later calls.
    const isAllKnown = version <= this.#version + (topics.length > 0 ? 1 : 0)
    this.#version = Math.max(this.#version, version)
    if (!isAllKnown) this.#events.onChange()
    else if (topics.length > 0) this.#events.onChange(topics)
    return result
  }

  async #evaluate(
    client: Client | undefined,
    script: Script,
    args: readonly (string | number)[],
  ): Promise<unknown> {
    if (client === undefined) throw this.#failure
    try {
      return await evaluate(client, script, args)
    } catch (error) {
      const reason = error as Error
      const isOver =
        reason instanceof TimedOut || !client.isReady || IS_CURED_BY_CONNECTING.test(reason.message)
      if (isOver) this.#lose(client, reason)
      // All calls that were waiting get the error for which the connection was given up.
      throw this.#lost.get(client) ?? error
    }
  }

  async #connect(): Promise<void> {
    let client: Client | undefined
    try {
      const url = this.#addresses[this.#attempts % this.#addresses.length] as string
      client = await reach(url, (lost, error) => this.#lose(lost, error))
      const send = sendOf(client)
      const notice = await checkServer(send)
      this.#addresses = [this.#url, ...(await nodesOf(send)).map((address) => urlAt(this.#url, address))]
      await within(client.subscribe(CHANGES, (message) => this.#hear(message)))
      await this.#adopt(client)
      if (this.#isClosed) throw this.#failure
      this.#client = client
      this.#attempts = 0
      this.#events.onChange()
      if (notice !== this.#notice) this.#events.onNotice((this.#notice = notice))
    } catch (error) {
      this.#attempts += 1
      client?.destroy()
      if (!this.#isClosed) this.#failure = explained(error)
      throw this.#failure
    }
  }

  /** Agrees on the epoch. A store that has lost data gets a new one, and the data is restored. */
  async #adopt(client = this.#client): Promise<void> {
    const args = [this.#epoch, this.#version, this.#origin, randomUUID(), this.#fence]
    const [version, , epoch] = (await this.#evaluate(client, MAINTENANCE_SCRIPTS.adopt, args)) as [
      number,
      [],
      string,
    ]
    this.#epoch = epoch
    this.#version = Math.max(this.#version, version)
    await this.#events.onAdopted((script, ...args) => this.#run(script, args, client))
  }

  async #adoptAgain(): Promise<void> {
    try {
      await this.#adopt()
      this.#events.onChange()
    } finally {
      this.#adopting = undefined
    }
  }

  #hear(message: string): void {
    const [epoch, origin, version, topics] = JSON.parse(message) as [string, string, number, string[]]
    if (epoch !== this.#epoch || origin === this.#origin) return
    this.#version = Math.max(this.#version, version)
    this.#events.onChange(topics)
  }

  #lose(client: Client, reason: Error): void {
    if (client !== this.#client || this.#isClosed) return
    this.#client = undefined
    this.#failure = reason
    this.#lost.set(client, reason)
    client.destroy()
    this.#reconnectLater()
  }

  /** Reconnects at once, then every quarter of a second. */
  #reconnectLater(): void {
    clearTimeout(this.#reconnecting)
    const afterMs = this.#attempts === 0 ? 0 : RECONNECT_AFTER_MS
    this.#reconnecting = setTimeout(() => {
      this.#connect().catch(() => this.#isClosed || this.#reconnectLater())
    }, afterMs).unref()
  }
}

/** Turns any error into a Problem `store_unavailable`. */
export const unavailable = (error: unknown): Problem =>
  error instanceof Problem ? error : new Problem('store_unavailable', { cause: explained(error) })

const explained = (error: unknown): Error =>
  isAnswer(error, NEWER)
    ? new Error('a newer Plimsoll has written it, so it is left unchanged', { cause: error })
    : (error as Error)
