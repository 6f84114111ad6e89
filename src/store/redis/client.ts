/** A client of one Redis server, with its timeouts. */
import { createClient } from 'redis'
import { nodeOfKeys, urlAt } from './cluster.ts'
import { META, type Script } from './scripts/lua.ts'

/** Timeout for one command, and for a connection. */
const PATIENCE_MS = 2000
/** Limit for redirections from one node of a cluster to another. */
const MOST_HOPS = 5

export type Client = ReturnType<typeof makeClient>

export class TimedOut extends Error {
  override readonly name = 'TimedOut'
  readonly code = 'ETIMEDOUT'
}

const makeClient = (url: string) =>
  createClient({
    url,
    RESP: 3,
    disableOfflineQueue: true,
    // `within` has a timeout: an AbortSignal for each command takes a third of the CPU of a read.
    commandOptions: { timeout: 0 },
    maintNotifications: 'disabled',
    socket: { reconnectStrategy: false, connectTimeout: PATIENCE_MS },
  })

/**
 * Connects to a server, or to the node of its cluster that has our keys.
 * @param onError is called once, when the connection ends; it does not reconnect
 */
export async function reach(
  url: string,
  onError: (client: Client, error: Error) => void,
  hops = MOST_HOPS,
): Promise<Client> {
  const client = makeClient(url)
  // Without a listener, an error would end the process.
  client.on('error', (error: Error) => onError(client, error))
  try {
    await within(client.connect())
    const moved = await nodeOfKeys(sendOf(client))
    if (moved === undefined) return client
    if (hops === 0) throw new Error(`its nodes redirect to each other for ${META}, last to ${moved}`)
    client.destroy()
    return await reach(urlAt(url, moved), onError, hops - 1)
  } catch (error) {
    client.destroy()
    throw error
  }
}

export const sendOf =
  (client: Client) =>
  (...command: string[]): Promise<unknown> =>
    within(client.sendCommand(command))

/** Runs a script, and sends its text if it is unknown. @throws TimedOut, or the error of Redis */
export async function evaluate(
  client: Client,
  { text, sha1 }: Script,
  args: readonly (string | number)[],
): Promise<unknown> {
  const send = sendOf(client)
  const values = ['1', META, ...args.map(String)]
  try {
    return await send('EVALSHA', sha1, ...values)
  } catch (error) {
    if (!isAnswer(error, 'NOSCRIPT')) throw error
    return send('EVAL', text, ...values)
  }
}

/** @throws TimedOut if it takes too long */
export function within<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new TimedOut(`Redis has not answered for ${PATIENCE_MS} ms`))
    // If this process itself was stopped, an answer that has arrived is read before the timeout.
    const timer = setTimeout(() => setImmediate(late), PATIENCE_MS)
    const ending =
      <Value>(end: (value: Value) => void) =>
      (value: Value) => {
        clearTimeout(timer)
        end(value)
      }
    work.then(ending(resolve), ending(reject))
  })
}

/** Checks the first word of an error of Redis. Some versions put ERR before errors that a script throws. */
export const isAnswer = (error: unknown, word: string): boolean =>
  error instanceof Error && new RegExp(`^(ERR )?${word}\\b`).test(error.message)
