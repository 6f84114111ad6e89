/**
 * `npm start` in a fresh clone, as a person runs it: what stands before the banner, and that a signal for npm
 * reaches the server. `node tools/node-versions.mjs` runs this on other versions of Node too.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { freePort } from './kit/app-process.ts'
import { folder } from './kit/temp-folder.ts'
import { until } from './kit/until.ts'

/** Warns where a server's process reads what only browsers have; some versions of Node have it too. */
const WATCH = `for (const name of ['localStorage', 'sessionStorage'])
  if (process.argv.join().includes('serve.js'))
    Object.defineProperty(globalThis, name, { get: () => process.emitWarning(name + ' was read') })`

function cloneInto(at: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  })
  for (const file of listed.split('\0').filter((name) => !name.startsWith('docs/') && existsSync(name)))
    cpSync(file, join(at, file))
  symlinkSync(resolve('node_modules'), join(at, 'node_modules'), 'junction')
}

/** Windows starts no `npm` without a shell; a run by npm names its file. */
const { npm_execpath: cli } = process.env
const [program = '', ...npmCli] = cli === undefined ? ['npm'] : [process.execPath, cli]

let npm: ChildProcess | undefined
afterEach(() => void npm?.kill())

/** Runs `npm start` until its banner is there. */
async function start(triesLeft = 2) {
  const clone = join(folder, `clone-${triesLeft}`)
  mkdirSync(clone)
  cloneInto(clone)
  const [port, sandbox, operations] = [await freePort(), await freePort(), await freePort()]
  const { NODE_ENV: _, VITEST: __, CI: ___, ...env } = process.env
  const child = spawn(program, [...npmCli, 'start'], {
    cwd: clone,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...env,
      PLIMSOLL_PORT: String(port),
      PLIMSOLL_SANDBOX_PORT: String(sandbox),
      PLIMSOLL_OPERATIONS_PORT: String(operations),
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(WATCH)}`,
    },
  })
  npm = child
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
  })
  const complaints = text(child.stderr)
  await until(() => output.includes('is open at') || child.exitCode !== null)
  if (child.exitCode === null) return { child, output, complaints, url: `http://localhost:${port}/` }
  const all = output + (await complaints)
  // Another program may have taken a port in the meantime.
  if (/^Port \d+ .* is in use/m.test(all) && triesLeft > 0) return start(triesLeft - 1)
  throw new Error(all)
}

test('in a fresh clone nothing stands before the banner of npm start, and a signal stops it', async () => {
  const { child, output, complaints, url } = await start()
  const [before] = output.split('\n  Plimsoll is open at')
  // npm names each script and its command.
  expect(before?.split('\n').filter((line) => line !== '' && !line.startsWith('> '))).toEqual([])
  expect((await fetch(url)).status).toBe(200)
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
  // The server may end after npm. Its log is on standard error.
  const lines = (await complaints).split('\n')
  expect(lines.filter((line) => line && !line.startsWith('{"level":"info"'))).toEqual([])
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})
