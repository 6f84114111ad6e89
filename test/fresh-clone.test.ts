/**
 * A person first clones, runs `npm start`, signs in, and stops it. `node tools/node-versions.mjs` runs this
 * on other versions of Node too.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import type { SignedOut } from '../src/contract/session.ts'
import { freePort } from './kit/app-process.ts'
import { STANDARD } from './kit/config.ts'
import { Person } from './kit/person.ts'
import { folder } from './kit/temp-folder.ts'
import { until } from './kit/until.ts'

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' })

function clone(): string {
  const at = join(folder, 'clone')
  git('clone', '--quiet', '.', at)
  symlinkSync(resolve('node_modules'), join(at, 'node_modules'), 'junction')
  // .gitignore names a folder, and this is a link.
  appendFileSync(join(at, '.git/info/exclude'), 'node_modules\n')
  return at
}

/** Windows starts no `npm` without a shell; a run by npm names its file. */
const { npm_execpath: cli } = process.env
const [program = '', ...npmCli] = cli === undefined ? ['npm'] : [process.execPath, cli]

/** The server says its exit code, because npm may end by the signal before it. */
const SAY_EXIT_CODE = `import { writeSync } from 'node:fs'
process.once('exit', (code) => process.argv[1].endsWith('serve.js') && writeSync(1, 'exit code ' + code))`

let npm: ChildProcess | undefined
afterEach(() => void npm?.kill())

/** Runs `npm start` until its banner is there. */
async function start(cwd: string, triesLeft = 2) {
  const [port, sandbox, operations] = [await freePort(), await freePort(), await freePort()]
  const { NODE_ENV: _, VITEST: __, CI: ___, ...env } = process.env
  const child = spawn(program, [...npmCli, 'start'], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...env,
      PLIMSOLL_PORT: String(port),
      PLIMSOLL_SANDBOX_PORT: String(sandbox),
      PLIMSOLL_OPERATIONS_PORT: String(operations),
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(SAY_EXIT_CODE)}`,
    },
  })
  npm = child
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
  })
  const complaints = text(child.stderr)
  await until(() => output.includes('is open at') || child.exitCode !== null)
  if (child.exitCode === null)
    return {
      child,
      // npm names each script and its command.
      before: (output.split('\n  Plimsoll is open at')[0] ?? '').replaceAll(/^(> .*)?\n/gm, ''),
      output: () => output,
      complaints,
      url: `http://localhost:${port}`,
      sandboxUrl: `http://127.0.0.1:${sandbox}`,
    }
  const all = output + (await complaints)
  // Another program may have taken a port in the meantime.
  if (/^Port \d+ .* is in use/m.test(all) && triesLeft > 0) return start(cwd, triesLeft - 1)
  throw new Error(all)
}

type Started = Awaited<ReturnType<typeof start>>

async function stop({ child, output, complaints, url }: Started): Promise<void> {
  // The pipes close when the server has ended too.
  const closed = once(child, 'close')
  child.kill('SIGTERM')
  await closed
  expect(output()).toMatch(/^exit code 0$/m)
  // Its log is on standard error.
  const lines = (await complaints).split('\n')
  expect(lines.filter((line) => line && !line.startsWith('{"level":"info"'))).toEqual([])
  await expect(fetch(url)).rejects.toThrow('fetch failed')
}

const sendTo = (origin: string) => ({
  fetch(request: Request) {
    const { pathname, search } = new URL(request.url)
    return fetch(new Request(origin + pathname + search, request))
  },
})

async function signIn({ url, sandboxUrl }: Started): Promise<Person> {
  const person = new Person({
    publicUrl: url,
    bff: sendTo(url),
    sandbox: sendTo(sandboxUrl),
    now: () => Date.now(),
  })
  const { body } = await person.session()
  const address = await person.startLogin(STANDARD)
  address.searchParams.set('client_id', (body as SignedOut).authorize.client_id)
  expect((await person.finishLogin(await person.permit(address, 'Ada'))).status).toBe(201)
  return person
}

test('a fresh clone starts by npm start, a person signs in, and a signal for npm stops it', async () => {
  const at = clone()
  const first = await start(at)
  expect(first.before).toBe('')
  expect(await (await fetch(first.url)).text()).toContain('<title>Plimsoll')
  const person = await signIn(first)
  const { body } = await person.read(`/organizations/${STANDARD}`)
  expect(body).toMatchObject({ name: 'Harbour Rope Works' })
  await stop(first)
  const second = await start(at)
  expect(second.before).toBe('Nothing has changed since the last build.\n')
  await stop(second)
  expect(git('-C', at, 'status', '--porcelain')).toBe('')
})
