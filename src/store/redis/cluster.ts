/** Finds the node of a Redis Cluster that has our keys, and the nodes that may have them later. */
import { META } from './scripts/lua.ts'

type Send = (...command: string[]) => Promise<unknown>

/** @returns its address, if it is another node */
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

/** @returns all addresses; none for a single server, or if it forbids CLUSTER */
export async function nodesOf(send: Send): Promise<string[]> {
  try {
    const lines = String(await send('CLUSTER', 'NODES')).split('\n')
    return lines.flatMap((line) => / (\S+:\d+)@/.exec(line)?.[1] ?? [])
  } catch {
    return []
  }
}

/** @param address `host:port`; without a host, the host stays */
export function urlAt(url: string, address: string): string {
  const changed = new URL(url)
  const colon = address.lastIndexOf(':')
  const host = address.slice(0, colon) || changed.hostname
  // The URL parser knows no default port for `redis:`, so host and port are replaced together.
  changed.host = `${/:.*:/.test(host) && !host.startsWith('[') ? `[${host}]` : host}:${address.slice(colon + 1)}`
  return changed.href
}
