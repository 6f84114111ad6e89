// The start as a process: flags, settings and the sandbox's state file, as on a fresh clone.
import { execFile, type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PATIENCE_MS } from '../kit/until.ts'
import { freePort } from '../kit/app-process.ts'

const SERVE = resolve('dist/server/serve.js')
let folder: string
const running: ChildProcess[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((child) => stop(child)))
  rmSync(folder, { recursive: true, force: true })
})

const isOver = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null
const stop = (child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM') =>
  isOver(child)
    ? Promise.resolve(null)
    : new Promise((done) => {
        child.once('exit', done)
        child.kill(signal)
      })

interface Started {
  child: ChildProcess
  text: string
  port: number
  control: (path: string, method?: string, body?: unknown) => Promise<Response>
}

/** Starts the built server in the folder of the test, and waits until it prints its banner or ends. */
async function start(flags: string[], env: Record<string, string> = {}): Promise<Started> {
  const ports = { app: await freePort(), sandbox: await freePort(), operations: await freePort() }
  const child = spawn(process.execPath, [SERVE, ...flags], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      // For another public URL the sandbox would begin again.
      PLIMSOLL_PUBLIC_URL: 'http://localhost:3000',
      PLIMSOLL_PORT: String(ports.app),
      PLIMSOLL_SANDBOX_PORT: String(ports.sandbox),
      PLIMSOLL_OPERATIONS_PORT: String(ports.operations),
      ...env,
    },
  })
  running.push(child)
  let text = ''
  await new Promise<void>((done, fail) => {
    const late = setTimeout(() => fail(new Error(`neither open nor over: ${text}`)), PATIENCE_MS)
    const ready = () => {
      clearTimeout(late)
      done()
    }
    child.once('close', ready)
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        if (/Cleo[^\n]*\n[^]*\n$/.test(text)) ready()
      })
  })
  const control: Started['control'] = (path, method = 'GET', body) =>
    fetch(`http://127.0.0.1:${ports.sandbox + 1}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  return { child, text, port: ports.sandbox, control }
}

const keysOf = async ({ control }: Started): Promise<{ value: string }[]> =>
  (await (await control('/snapshot')).json()).api_keys
const saved = () => readFileSync(join(folder, 'data/sandbox.json'), 'utf8')

test('the sandbox alone makes its folder, and has the same credentials after a restart', async () => {
  const first = await start(['--sandbox'])
  const keys = await keysOf(first)
  await first.control('/profile', 'PATCH', { deny: 'page' })
  await stop(first.child)
  expect(readdirSync(join(folder, 'data'))).toEqual(['sandbox.json'])
  const second = await start(['--sandbox'])
  expect(await keysOf(second)).toEqual(keys)
  expect(await (await second.control('/profile')).json()).toMatchObject({ deny: 'page' })
  expect(second.text).not.toContain('ENOENT')
})

test('the sandbox alone prints a request that works as it is', async () => {
  const { text } = await start(['--sandbox'], { PLIMSOLL_API_KEY_HEADER: 'X-Key' })
  expect(text).not.toContain('Sign in')
  const line = /^ +curl (-H .*)$/m.exec(text)?.[1] ?? ''
  // The same arguments as the shell makes of the printed line.
  const { stdout } = await promisify(execFile)('sh', ['-c', `printf '%s\\n' ${line}`])
  const [option, header = '', url = ''] = stdout.trim().split('\n')
  const [name = '', value = ''] = header.split(': ')
  expect([option, name]).toEqual(['-H', 'X-Key'])
  const answer = await fetch(url, { headers: { [name]: value } })
  expect([answer.status, await answer.json()]).toMatchObject([200, { organization_id: expect.anything() }])
})

test('a second process on the same state file is refused in one line, and writes nothing', async () => {
  const app = await start([])
  await app.control('/profile', 'PATCH', { deny: 'page' })
  await expect.poll(saved).toContain('"deny":"page"')
  const second = await start(['--sandbox'])
  expect(second.child.exitCode).toBe(1)
  expect(second.text).toMatch(
    new RegExp(`^Another sandbox \\(process ${app.child.pid}\\) is using .*PLIMSOLL_STORE\\.\\n$`),
  )
  expect(saved()).toContain('"deny":"page"')
})

test('the next process takes over the lock of a killed one', async () => {
  const first = await start(['--sandbox'])
  const keys = await keysOf(first)
  await stop(first.child, 'SIGKILL')
  expect(existsSync(join(folder, 'data/sandbox.json.lock'))).toBe(true)
  expect(await keysOf(await start(['--sandbox']))).toEqual(keys)
})

test('a seed survives a restart; a reset returns to it, and an empty seed to the built-in one', async () => {
  const first = await start(['--sandbox'])
  const builtIn = await keysOf(first)
  const api_keys = [{ value: 'a-key', organization_id: 1001, issued_by: 'ada' }]
  expect((await first.control('/seed', 'POST', { api_keys })).status).toBe(204)
  await stop(first.child)
  const second = await start(['--sandbox'])
  expect(await keysOf(second)).toEqual(api_keys)
  expect((await second.control('/reset', 'POST')).status).toBe(204)
  expect(await keysOf(second)).toEqual(api_keys)
  expect((await second.control('/seed', 'POST', {})).status).toBe(204)
  expect(await keysOf(second)).toEqual(builtIn)
})

test('the start sets a damaged state file aside with one message, and goes on', async () => {
  const first = await start(['--sandbox'])
  await stop(first.child)
  writeFileSync(join(folder, 'data/sandbox.json'), saved().slice(0, 100))
  const second = await start(['--sandbox'])
  expect(second.text).toMatch(
    /^The sandbox starts with new state, since it is not JSON\. The old file is data\/sandbox\.json\.damaged-2\S+Z\.\n/,
  )
  const aside = readdirSync(join(folder, 'data')).find((name) => name.includes('damaged')) ?? ''
  expect(readFileSync(join(folder, 'data', aside), 'utf8')).toHaveLength(100)
  expect((await second.control('/profile')).status).toBe(200)
})

test.runIf(process.platform === 'linux')(
  'a store that cannot be created is one message (settings)',
  async () => {
    const { child, text } = await start([], { PLIMSOLL_STORE: 'sqlite:/proc/nope/x.db' })
    expect(child.exitCode).toBe(1)
    expect(text).toMatch(/^The database \/proc\/nope\/x\.db cannot be used: ENOENT.* PLIMSOLL_STORE\.\n$/)
  },
)

test.each([[], ['--sandbox', '--any-address']])(
  'a host that is not on this machine names the setting of the host: %j (settings)',
  async (...flags) => {
    const { child, text } = await start(flags, { PLIMSOLL_HOST: '192.0.2.1' })
    expect([child.exitCode, text]).toEqual([
      1,
      'PLIMSOLL_HOST is not an address of this machine. Choose another one.\n',
    ])
  },
)

test('an unknown flag is refused, and --help answers', async () => {
  const wrong = await start(['--sandbx'])
  expect([wrong.child.exitCode, wrong.text]).toEqual([
    1,
    '--sandbx is not a flag. Did you mean --sandbox? --help lists the flags.\n',
  ])
  const help = await start(['--sandbox', '--help'])
  expect(help.child.exitCode).toBe(0)
  expect(help.text).toMatch(/^Usage: /)
  expect(existsSync(join(folder, 'data'))).toBe(false)
})
