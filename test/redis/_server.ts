// One Redis server for all tests of the project.
import type { TestProject } from 'vitest/node'
import { findRedisServer, startRedis } from '../store/_redis-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    redisUrl: string
  }
}

/** @returns a function that ends the server */
export async function setup({ provide }: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (findRedisServer() === undefined) return undefined
  const server = await startRedis('--databases', '20000')
  provide('redisUrl', server.url())
  return server.remove
}
