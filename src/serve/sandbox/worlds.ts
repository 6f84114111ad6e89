/** Isolated copies of the sandbox in one process, each below a path of its own on both ports. */
import { randomBytes } from 'node:crypto'
import { METADATA_PATH } from '../../sandbox/authorize/redirect.tsx'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/sandbox.ts'
import { derive } from '../../sandbox/state/seed.ts'

/** More would only be forgotten ones: the oldest makes room. */
const MOST_WORLDS = 1000

interface WorldParts extends Omit<SandboxOptions, 'seed'> {
  main: Sandbox
  /** The addresses of the main one, for a client that reached it by a host name. */
  addresses: (reachedAs: string) => { url: string; controlUrl: string }
}

/** A world begins with the records of the last seed and the present choices, and is not stored. */
export function createWorlds({ main, addresses, basePath = '', ...options }: WorldParts) {
  const worlds = new Map<string, Sandbox>()
  const gone = { ...main, fetch: async () => Response.json({ error: 'not_found' }, { status: 404 }) }
  return {
    open: (reachedAs: string): { url: string; control_url: string } => {
      const id = randomBytes(9).toString('base64url')
      const path = `/worlds/${id}`
      const seed = main.currentSeed()
      const world = createSandbox({
        ...options,
        // With the same one, a token of one world would be that of another.
        seed: { ...seed, random: derive(seed.random, `world ${id}`) },
        choices: main.control.choices(),
        basePath: basePath + path,
      })
      worlds.set(id, world)
      const [oldest] = worlds.keys()
      if (worlds.size > MOST_WORLDS && oldest !== undefined) worlds.delete(oldest)
      const { url, controlUrl } = addresses(reachedAs)
      return { url: url + path, control_url: controlUrl + path }
    },
    /** The world that the address names; the main one if it names none. One that is gone answers 404. */
    of: (address: string): Sandbox => {
      const { pathname } = new URL(address)
      // RFC 8414 3.1: the path of the metadata is in front of that of the world.
      const start = pathname.startsWith(METADATA_PATH) ? METADATA_PATH.length : 0
      const path = pathname.slice(start + basePath.length)
      const id = /^\/worlds\/([\w-]+)/.exec(path)?.[1]
      return id === undefined ? main : (worlds.get(id) ?? gone)
    },
  }
}
