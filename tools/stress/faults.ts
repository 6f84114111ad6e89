// The faults, each with its name, how it is made and how it ends. The suites choose from these tables.
import { closeSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Sqlite from 'libsql'
import { ConnectionReset } from '../../src/sandbox/state/injected-fault.ts'
import { fileIn } from './database.ts'
import type { AppProcess } from './harness.ts'
import type { Scene } from './pressure.ts'

export interface Fault {
  make: (scene: Scene) => unknown
  /** Resolves when the app could work again. */
  undo: (scene: Scene) => unknown
  /** The token endpoint fails, at once or late. A token that is still valid serves meanwhile. */
  endpoint?: 'quick' | 'slow'
  /** It needs a small disk of its own, and root. */
  onSmallDisk?: true
  /** Set if a clock is ahead. */
  aheadMs?: number
}

/** @param well resolves when the service has recovered */
export type AnswerToRefresh = (through: () => Promise<Response>, well: Promise<void>) => Promise<Response>

const oldest = ({ apps }: Scene['setup']): AppProcess => {
  const app = apps.find((one) => one.isRunning())
  if (app === undefined) throw new Error('there is no app process')
  return app
}

/** A load balancer would start another process in place of one that has ended. */
const startAnother = ({ setup }: Scene) => setup.start()

const clockAhead = (ms: number): Fault => ({
  aheadMs: Math.max(0, ms),
  make: ({ clock }) => writeFileSync(clock, String(ms)),
  undo: ({ clock }) => writeFileSync(clock, '0'),
})

export const AT_MACHINE: Readonly<Record<string, Fault>> = {
  'a process hangs': {
    make: ({ setup }) => oldest(setup).signal('SIGSTOP'),
    undo: ({ setup }) => oldest(setup).signal('SIGCONT'),
  },
  'the service is cut off': {
    make: ({ forward }) => forward.refuse(),
    undo: ({ forward }) => forward.accept(),
  },
  'the service is slow': {
    make: (scene) => void (scene.slowMs = 3000),
    undo: (scene) => void (scene.slowMs = 0),
  },
  'the clock is 16 s ahead': clockAhead(16_000),
  'the clock is an hour ahead': clockAhead(3_600_000),
  'the clock is an hour late': clockAhead(-3_600_000),
}

export const AT_DISK: Readonly<Record<string, Fault>> = {
  'the file is locked': {
    make(scene) {
      const db = new Sqlite(fileIn(scene.setup.folder))
      db.exec('BEGIN EXCLUSIVE')
      scene.release = () => {
        db.exec('ROLLBACK')
        db.close()
      }
    },
    undo: (scene) => scene.release(),
  },
  'the disk is full': {
    onSmallDisk: true,
    make: ({ setup }) => fill(join(dirname(fileIn(setup.folder)), 'filler')),
    undo: ({ setup }) => rmSync(join(dirname(fileIn(setup.folder)), 'filler')),
  },
}

function fill(path: string): void {
  const file = openSync(path, 'w')
  for (let bytes = 65_536; bytes > 0; bytes = Math.floor(bytes / 2))
    try {
      for (;;) writeSync(file, Buffer.alloc(bytes))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  closeSync(file)
}

/** Outages of an instance behind a load balancer, and of PostgreSQL. */
export const OUTAGES: Readonly<Record<string, Fault>> = {
  'instance killed': { make: ({ setup }) => oldest(setup).stop('SIGKILL'), undo: startAnother },
  'instance stopped': { make: ({ setup }) => oldest(setup).stop('SIGTERM'), undo: startAnother },
  'PostgreSQL killed': {
    make: ({ postgres }) => postgres?.primary().stop(),
    undo: ({ postgres }) => postgres?.primary().start(),
  },
  'PostgreSQL restarted': {
    make: ({ postgres }) => postgres?.primary().stop('SIGINT'),
    undo: ({ postgres }) => postgres?.primary().start(),
  },
  'PostgreSQL cut off': {
    make: ({ postgres }) => postgres?.primary().signal('SIGSTOP'),
    undo: ({ postgres }) => postgres?.primary().signal('SIGCONT'),
  },
  'PostgreSQL failed over': { make: ({ postgres }) => postgres?.failOver(), undo() {} },
}

const endpoint = (
  name: string,
  answer: AnswerToRefresh,
  speed: 'quick' | 'slow' = 'quick',
): [string, Fault] => [
  name,
  {
    endpoint: speed,
    make: (scene) => void (scene.answerToRefresh = answer),
    undo(scene) {
      scene.answerToRefresh = undefined
      scene.recover()
    },
  },
]

const fixed = (
  name: string,
  status: number,
  body: string,
  headers: Record<string, string> = {},
): [string, Fault] =>
  endpoint(
    name,
    async () => new Response(body, { status, headers: { 'Content-Type': 'application/json', ...headers } }),
  )
const word = (status: number, error: string) => fixed(`${status} ${error}`, status, JSON.stringify({ error }))
const page = (status: number) =>
  fixed(`${status} with a page`, status, '<!doctype html><title>Try again later</title>', {
    'Content-Type': 'text/html',
  })

const tokens = (token_type: string): string =>
  JSON.stringify({
    access_token: 'of-a-fault',
    token_type,
    expires_in: 3600,
    refresh_token: 'of-a-fault-too',
  })

const reset = (): Promise<never> => Promise.reject(new ConnectionReset())

/** Ways in which a token endpoint fails for a while. Only the error of RFC 6749 5.2 is the end of a grant. */
export const AT_TOKEN_ENDPOINT: Readonly<Record<string, Fault>> = Object.fromEntries([
  fixed('408', 408, ''),
  fixed('429', 429, '{"error":"slow_down"}'),
  fixed('429 with Retry-After: 5', 429, '', { 'Retry-After': '5' }),
  fixed('429 with Retry-After: 3600', 429, '', { 'Retry-After': '3600' }),
  fixed('500', 500, ''),
  page(502),
  fixed('503 with Retry-After: 5', 503, '', { 'Retry-After': '5' }),
  fixed('504', 504, ''),
  endpoint('connection reset', reset),
  endpoint('no answer until the service is well, then a reset', (_, well) => well.then(reset), 'slow'),
  endpoint('no answer ever', () => new Promise(() => {}), 'slow'),
  endpoint('the real answer in 20 s, a byte at a time', drip, 'slow'),
  page(200),
  fixed('200 with {}', 200, '{}'),
  fixed('200 with another token type', 200, tokens('mac')),
  fixed('200 with half of the JSON', 200, tokens('Bearer').slice(0, 40)),
  fixed('200 without a body', 200, ''),
  word(400, 'server_error'),
  word(400, 'temporarily_unavailable'),
  word(400, 'no_such_word'),
  page(400),
  fixed('401 without a word', 401, ''),
  fixed('403 without a word', 403, ''),
])

/** The service has replaced the refresh token when its first byte is sent. */
async function drip(through: () => Promise<Response>): Promise<Response> {
  const real = await through()
  const bytes = new Uint8Array(await real.arrayBuffer())
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      for (const byte of bytes) {
        controller.enqueue(new Uint8Array([byte]))
        await wait(20_000 / bytes.length)
      }
      controller.close()
    },
  })
  return new Response(body, real)
}
