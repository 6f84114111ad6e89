// Runs build.mjs as a process on a small app: when `npm start` builds, and when it does not.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import Database from 'libsql'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aPartOf } from './_extent.ts'
import { folder } from './kit/temp-folder.ts'
import { until } from './kit/until.ts'

const BUILD = fileURLToPath(new URL('../tools/build/build.mjs', import.meta.url))
const WAITS = 'Waiting for another build.\n'
const SKIPS = 'Nothing has changed since the last build.\n'
/** Each build adds a line to `builds`, and hangs if there is a file `hang`. */
const CONFIG = `import { appendFileSync, existsSync } from 'node:fs'
const count = {
  name: 'count',
  applyToEnvironment: ({ name }) => name === 'ssr',
  buildStart: () => appendFileSync('builds', 'one\\n'),
  writeBundle: () => existsSync('hang') && new Promise((resolve) => setTimeout(resolve, 60_000)),
}
const environments = {
  client: { build: { outDir: 'dist/web' } },
  ssr: { build: { outDir: 'dist/server', rolldownOptions: { input: { serve: 'src/serve.ts' } } } },
}
export default {
  plugins: [count],
  environments,
  builder: { buildApp: async (builder) => { for (const one of Object.values(builder.environments)) await builder.build(one) } },
}
`
const FILES = {
  'package.json': '{"type": "module"}',
  'package-lock.json': '{}',
  'index.html': '<script type="module" src="/src/main.ts"></script>',
  'src/main.ts': 'document.title = "one"',
  'src/serve.ts': 'console.log("one")',
  'public/mark.svg': '<svg/>',
  'node_modules/.package-lock.json': '{}',
  'vite.config.ts': CONFIG,
}

const at = (name = '') => join(folder, 'app', name)
const write = (name: string, content: string) => writeFileSync(at(name), content)
const read = (name: string) => (existsSync(at(name)) ? readFileSync(at(name), 'utf8') : '')
const served = () => read('dist/server/serve.js')
const builds = () => read('builds').trim().split('\n').length

const children = new Set<ChildProcess>()
function start(...flags: string[]) {
  const { NODE_ENV: _, VITEST: __, ...env } = process.env
  const child = spawn(process.execPath, [BUILD, ...flags], {
    cwd: at(),
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  return child
}
async function run(...flags: string[]): Promise<string> {
  const child = start(...flags)
  const [output, complaints, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  expect([complaints, code]).toEqual(['', 0])
  return output
}
const startAgain = () => run('--if-changed')

beforeEach(async () => {
  for (const [name, content] of Object.entries(FILES)) {
    mkdirSync(join(at(name), '..'), { recursive: true })
    write(name, content)
  }
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
})

/** Changes to the inputs or outputs of a build. */
const CHANGES: Record<string, () => void> = {
  'a source of the same length and time is another one'() {
    const { atime, mtime } = statSync(at('src/serve.ts'))
    write('src/serve.ts', 'console.log("two")')
    utimesSync(at('src/serve.ts'), atime, mtime)
  },
  'a source is new': () => write('src/new.ts', ''),
  'a source is missing': () => rmSync(at('public/mark.svg')),
  'the lock file is another one': () => write('package-lock.json', '{ }'),
  'other packages are installed': () => write('node_modules/.package-lock.json', '{ }'),
  'a file of dist is missing': () => rmSync(at('dist/web/mark.svg')),
  'a file of dist is another one': () => write('dist/server/serve.js', 'console.log("two")'),
  'dist has no record of its build': () => rmSync(at('dist/build.json')),
}

test('a start builds if a source, the lock file, a package or a file of dist has changed or is missing', async () => {
  expect(await startAgain()).toBe('')
  // The same content is written again, as git does.
  write('src/serve.ts', FILES['src/serve.ts'])
  utimesSync(at('src/main.ts'), 1, 1)
  const before = join(folder, 'before')
  cpSync(at(), before, { recursive: true })
  for (const [what, change] of aPartOf(Object.entries(CHANGES), (_, at) => at % 3 === 0)) {
    expect([what, await startAgain()]).toEqual([what, SKIPS])
    change()
    // Only a start that has to build waits.
    const database = new Database(at('dist/build.lock'))
    database.exec('BEGIN EXCLUSIVE')
    const child = start('--if-changed')
    const [output] = await once(child.stdout, 'data')
    child.kill('SIGKILL')
    database.close()
    expect([what, String(output)]).toEqual([what, WAITS])
    cpSync(before, at(), { recursive: true })
    rmSync(at('src/new.ts'), { force: true })
  }
})

test('a killed build does not count, even with the files that it had written', async () => {
  await startAgain()
  write('hang', '')
  write('src/serve.ts', 'console.log("two")')
  const killed = start('--if-changed')
  await until(() => builds() === 2 && served().includes('two'))
  killed.kill('SIGKILL')
  await once(killed, 'close')
  rmSync(at('hang'))
  write('src/serve.ts', FILES['src/serve.ts'])
  expect([await startAgain(), builds()]).toEqual(['', 3])
  expect(served()).toContain('one')
})

test('of several starts at once one builds, and the others wait for it', async () => {
  const outputs = await Promise.all([startAgain(), startAgain(), startAgain()])
  expect([builds(), await startAgain()]).toEqual([1, SKIPS])
  expect(outputs.filter((output) => output === '')).toHaveLength(1)
  for (const output of outputs) expect(['', SKIPS, WAITS + SKIPS]).toContain(output)
})

test.runIf(process.platform !== 'win32')('a user who may not write in the folder is told so', async () => {
  cpSync(BUILD, at('build.mjs'))
  for (const path of [folder, at()]) chmodSync(path, 0o555)
  // The modes of files are nothing to the superuser, who may be the only one who can start this Node.
  const other = 'data:text/javascript,if(process.getuid()===0){process.setgid(65534);process.setuid(65534)}'
  const child = spawn(process.execPath, ['--import', other, 'build.mjs', '--if-changed'], { cwd: at() })
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  for (const path of [folder, at()]) chmodSync(path, 0o755)
  expect([said, code]).toEqual([
    "This user cannot build the app (EACCES: permission denied, mkdir 'dist'): run `npm run build` as the owner of the folder.\n",
    1,
  ])
})

test('an installed app, which has no sources, is not built', async () => {
  rmSync(at('src'), { recursive: true })
  expect(await startAgain()).toBe(SKIPS)
})
