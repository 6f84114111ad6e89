// Real PostgreSQL servers ($POSTGRES_BIN or Debian's), each in a folder of its own, on a port of its own.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { freePort } from '../kit/app-process.ts'

const DEBIAN = '/usr/lib/postgresql'

/** The folder of the newest installed server's programs. */
export function findPostgres(): string | undefined {
  const { POSTGRES_BIN: chosen = '' } = process.env
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a)) : []
  const folders = [chosen, ...versions.map((version) => join(DEBIAN, version, 'bin'))]
  return folders.find((folder) => existsSync(join(folder, 'postgres')))
}

export interface PostgresServer {
  port: number
  /** The folder of its programs. */
  bin: string
  /** Tables of their own for each name, in one database. */
  url: (schema?: string) => string
  send: (sql: string) => Promise<unknown[]>
  signal: (signal: NodeJS.Signals) => void
  /** Ends it, at once by default. Its folder stays. */
  stop: (signal?: NodeJS.Signals) => Promise<void>
  /** Starts it again in the same folder, on the same port. */
  start: (...options: string[]) => Promise<void>
  /** Starts a server that follows it, and accepts no writes until it is promoted. */
  standby: () => Promise<PostgresServer>
  /** Ends it and removes its folder. */
  remove: () => Promise<void>
}

/** The server refuses to run as root. */
export function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/** Waits until it answers. @param options of the server */
export async function startPostgres(...options: string[]): Promise<PostgresServer> {
  const bin = findPostgres()
  if (bin === undefined) throw new Error('PostgreSQL is missing')
  const made = ['-U', 'postgres', '--auth', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync']
  return startIn(bin, options, (data, user) =>
    execFileSync(join(bin, 'initdb'), ['-D', data, ...made], { ...user, cwd: '/', stdio: 'ignore' }),
  )
}

type Make = (data: string, user: ReturnType<typeof serverUser>) => void

async function startIn(bin: string, options: string[], make: Make): Promise<PostgresServer> {
  const [folder, port, user] = [
    mkdtempSync(join(tmpdir(), 'plimsoll-postgres-')),
    await freePort(),
    serverUser(),
  ]
  if (user) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  make(data, user)
  const fixed = ['-D', data, '-p', `${port}`, '-k', folder, '-c', 'listen_addresses=127.0.0.1']
  let running: ChildProcess | undefined
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const server: PostgresServer = {
    port,
    bin,
    url: (schema) => (schema === undefined ? url : `${url}?options=-c%20search_path%3D${schema}`),
    async send(sql) {
      const client = new Client(url)
      await client.connect()
      try {
        return (await client.query(sql)).rows as unknown[]
      } finally {
        await client.end()
      }
    },
    signal: (signal) => void running?.kill(signal),
    async stop(signal = 'SIGQUIT') {
      if (running?.exitCode !== null || running.signalCode !== null) return
      const ended = once(running, 'exit')
      // One that is stopped ends only when it goes on.
      running.kill('SIGCONT')
      running.kill(signal)
      await ended
    },
    async start(...more) {
      running = spawn(join(bin, 'postgres'), [...fixed, ...options, ...more], {
        ...user,
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      let output = ''
      for await (const chunk of running.stderr as AsyncIterable<Buffer>) {
        output += chunk.toString()
        if (/ready to accept (read-only )?connections/.test(output)) break
      }
      running.stderr?.resume()
      if (running.exitCode !== null) throw new Error(output)
    },
    standby: () =>
      startIn(bin, options, (copy, owner) => {
        const from = ['-h', '127.0.0.1', '-p', `${port}`, '-U', 'postgres', '-R', '--no-sync', '-c', 'fast']
        execFileSync(join(bin, 'pg_basebackup'), ['-D', copy, ...from], {
          ...owner,
          cwd: '/',
          stdio: 'ignore',
        })
      }),
    async remove() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await server.start()
  return server
}
