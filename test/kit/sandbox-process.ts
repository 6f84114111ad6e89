// The only place that starts the sandbox alone as a process, for the tests of its control plane.
import { type ChildProcess, spawn } from 'node:child_process'
import { afterEach } from 'vitest'
import { freePort } from './app-process.ts'

/** Ended after the test, the last one first. */
export const ended: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end()
})

export interface Alone {
  child: ChildProcess
  port: number
  output: () => string
  service: (path: string, headers?: Record<string, string>) => Promise<Response>
  control: (path: string, method?: string, body?: unknown) => Promise<Response>
  stop: () => Promise<unknown>
}

/** Waits until it prints who can sign in, or ends. */
export async function openAlone(
  env: Record<string, string>,
  flags: string[] = [],
  wished?: number,
): Promise<Alone> {
  const port = wished ?? (await freePort())
  const child = spawn(process.execPath, ['dist/server/serve.js', '--sandbox', ...flags], {
    env: { PATH: process.env['PATH'], PLIMSOLL_SANDBOX_PORT: String(port), ...env },
  })
  const stop = () =>
    child.exitCode !== null || child.signalCode !== null
      ? Promise.resolve(null)
      : new Promise((resolve) => {
          child.once('exit', resolve)
          child.kill('SIGTERM')
        })
  ended.push(stop)
  let text = ''
  await new Promise((resolve) => {
    child.once('exit', resolve)
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        if (text.includes('Cleo')) resolve(null)
      })
  })
  return {
    child,
    port,
    output: () => text,
    service: (path, headers = {}) => fetch(`http://127.0.0.1:${port}${path}`, { headers }),
    control: (path, method = 'GET', body) =>
      fetch(`http://127.0.0.1:${port + 1}${path}`, {
        method,
        headers: { 'Content-Type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    stop,
  }
}

export const MEMORY = { PLIMSOLL_STORE: 'sqlite::memory:' }
