// Real Redis servers ($REDIS_SERVER or an installed one) on free ports, each in its own folder.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'redis'
import { freePort } from '../kit/app-process.ts'
import { findProgram } from '../kit/program.ts'

export const findRedisServer = (): string | undefined =>
  findProgram(['redis-server'], process.env.REDIS_SERVER)

export interface RedisServer {
  port: number
  /** URL of one database. Each test has its own empty one. */
  url: (database?: number) => string
  send: (...command: string[]) => Promise<unknown>
  signal: (signal: NodeJS.Signals) => void
  /** Ends it, at once by default. Its folder stays. */
  stop: (signal?: NodeJS.Signals) => Promise<void>
  /** Starts it again in the same folder, on the same port. */
  start: (...options: string[]) => Promise<void>
  /** Ends it and removes its folder. */
  remove: () => Promise<void>
}

const DURABLE = ['--appendonly', 'yes', '--appendfsync', 'always']

/** Waits until it answers. @param options follow those that make the server durable */
export async function startRedis(...options: string[]): Promise<RedisServer> {
  const [file, folder, port] = [
    findRedisServer(),
    mkdtempSync(join(tmpdir(), 'plimsoll-redis-')),
    await freePort(),
  ]
  if (file === undefined) throw new Error('redis-server is missing')
  let running: ChildProcess | undefined
  const commands = [
    '--port',
    `${port}`,
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--databases',
    '2000',
    '--save',
    '',
  ]
  const server: RedisServer = {
    port,
    url: (database = 0) => `redis://127.0.0.1:${port}/${database}`,
    async send(...command) {
      const client = createClient({ url: server.url(), socket: { reconnectStrategy: false } })
      client.on('error', () => {})
      await client.connect()
      try {
        return await client.sendCommand(command)
      } finally {
        client.destroy()
      }
    },
    signal: (signal) => void running?.kill(signal),
    async stop(signal = 'SIGKILL') {
      if (running?.exitCode !== null || running.signalCode !== null) return
      const ended = once(running, 'exit')
      // One that is stopped ends only when it goes on.
      running.kill('SIGCONT')
      running.kill(signal)
      await ended
    },
    async start(...more) {
      running = spawn(file, [...commands, ...DURABLE, ...options, ...more], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let output = ''
      for await (const chunk of running.stdout as AsyncIterable<Buffer>) {
        output += chunk.toString()
        if (output.includes('Ready to accept connections')) break
      }
      running.stdout?.resume()
      if (running.exitCode !== null) throw new Error(output)
    },
    async remove() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await server.start()
  return server
}
