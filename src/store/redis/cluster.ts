/** Finds the node of a Redis Cluster that has our keys, and those that may have them later. A server alone has them itself. */
import { META } from './scripts/lua.ts'

/** Sends one command. */
type Send = (...command: string[]) => Promise<unknown>

/** @returns the address of the node that has our keys, where it is another one */
export async function nodeOfKeys(send: Send): Promise<string | undefined> {
  try {
    await send('EXISTS', META)
    return undefined
  } catch (error) {
    const [, moved] = /^MOVED \d+ (\S*:\d+)$/.exec((error as Error).message) ?? []
    if (moved === undefined) throw error
    return moved
  }
}

/** @returns the addresses of all nodes; none for a server alone, or where the question is not allowed */
export async function nodesOf(send: Send): Promise<string[]> {
  try {
    const lines = String(await send('CLUSTER', 'NODES')).split('\n')
    return lines.flatMap((line) => / (\S+:\d+)@/.exec(line)?.[1] ?? [])
  } catch {
    return []
  }
}

/** The same URL, of another server. @param address `host:port`; without a host it is the same */
export function urlAt(url: string, address: string): string {
  const changed = new URL(url)
  const colon = address.lastIndexOf(':')
  const host = address.slice(0, colon) || changed.hostname
  // A scheme that browsers do not know has no default port, so both are replaced.
  changed.host = `${/:.*:/.test(host) && !host.startsWith('[') ? `[${host}]` : host}:${address.slice(colon + 1)}`
  return changed.href
}
