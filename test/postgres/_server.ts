// One PostgreSQL server for all tests of the project that run over it.
import type { TestProject } from 'vitest/node'
import { findPostgres, startPostgres } from '../store/_postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

/** @returns a function that ends the server */
export async function setup({ provide }: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (findPostgres() === undefined) return undefined
  // No test here kills it, so nothing has to reach the disk.
  const server = await startPostgres('-c', 'max_connections=500', '-c', 'fsync=off')
  provide('postgresUrl', server.url())
  return server.remove
}
