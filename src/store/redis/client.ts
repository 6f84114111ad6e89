/** A client of one Redis server: how it is connected, and how long it waits. */
import { createClient } from 'redis'
import { nodeOfKeys, urlAt } from './cluster.ts'
import { META, type Script } from './scripts/lua.ts'

/** How long Redis has for one command, and for a connection. */
const PATIENCE_MS = 2000
/** How often a node of a cluster may name another one. */
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
    // `within` has a shorter one, and an AbortSignal for each command takes a third of the CPU of a read.
    commandOptions: { timeout: 0 },
    maintNotifications: 'disabled',
    socket: { reconnectStrategy: false, connectTimeout: PATIENCE_MS },
  })

/**
 * Connects to a server, or to the node of its cluster that has our keys.
 * @param onError is called at the end of the connection, which is not made again
 */
export async function reach(
  url: string,
  onError: (client: Client, error: Error) => void,
  hops = MOST_HOPS,
): Promise<Client> {
  const client = makeClient(url)
  // Without a listener an error would end the process.
  client.on('error', (error: Error) => onError(client, error))
  try {
    await within(client.connect())
    const moved = await nodeOfKeys(sendOf(client))
    if (moved === undefined) return client
    if (hops === 0) throw new Error(`its nodes name each other for ${META}, ${moved} at last`)
    client.destroy()
    return await reach(urlAt(url, moved), onError, hops - 1)
  } catch (error) {
    client.destroy()
    throw error
  }
}

/** Sends commands, each with the time that it has. */
export const sendOf =
  (client: Client) =>
  (...command: string[]): Promise<unknown> =>
    within(client.sendCommand(command))

/** Runs a script, which the server gets where it does not know it. @throws TimedOut, or the error that Redis answers */
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

/** @throws TimedOut when it takes longer than Redis has */
export function within<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new TimedOut(`Redis has not answered for ${PATIENCE_MS} ms`))
    // Where this process itself did not run for so long, an answer that has come meanwhile is read before that.
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

/** Whether an error is an answer of Redis with this word first; errors that a script throws have a prefix or not, by version. */
export const isAnswer = (error: unknown, word: string): boolean =>
  error instanceof Error && new RegExp(`^(ERR )?${word}\\b`).test(error.message)
