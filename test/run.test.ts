// tools/run.mjs as a process, where test/fresh-clone.test.ts does not show it; and the scripts that use it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { folder } from './kit/temp-folder.ts'

const RUN = fileURLToPath(new URL('../tools/run.mjs', import.meta.url))

const children = new Set<ChildProcess>()
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
})

/** Runs a program by run.mjs. @param by starts `node run.mjs ...` itself, as the shell of npm does */
function run(program: string, given: readonly string[] = [], by?: string) {
  writeFileSync(join(folder, 'program.mjs'), program)
  const settings = given.filter((argument) => argument.startsWith('RUN_'))
  const rest = given.filter((argument) => !settings.includes(argument))
  const args = [RUN, ...settings, 'program.mjs', ...rest]
  const child = spawn(process.execPath, by === undefined ? args : ['-e', by, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  return child
}
const output = (child: ReturnType<typeof run>) => text(child.stdout)

test('a program gets the settings and arguments as if node had run it', async () => {
  const program = `console.log(process.argv[1], process.argv.slice(2), process.env.RUN_A, process.env.RUN_B)`
  const child = run(program, ['RUN_A=1', 'RUN_B=x=y', '--flag', 'C=2'])
  expect(await output(child)).toBe(`${join(folder, 'program.mjs')} [ '--flag', 'C=2' ] 1 x=y\n`)
})

test('the exit code is that of the program, also after an error', async () => {
  expect(await once(run('process.exitCode = 7'), 'exit')).toEqual([7, null])
  expect(await once(run('process.exit(3)'), 'exit')).toEqual([3, null])
  const failing = `process.once('uncaughtException', () => process.exit(5)); setTimeout(() => { throw 1 })`
  expect(await once(run(failing), 'exit')).toEqual([5, null])
})

/** Runs run.mjs on what claims to be that version of Node. @returns what it says, and its exit code */
async function runOn(version: string) {
  const fake = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  writeFileSync(join(folder, 'fake.mjs'), fake)
  const args = ['--import', './fake.mjs', RUN, 'program.mjs']
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  children.add(child)
  const [said, complaints, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return [said, complaints, code]
}

test('a version of Node that package.json excludes is refused in one sentence, before any program', async () => {
  expect(JSON.parse(readFileSync('package.json', 'utf8')).engines.node).toBe('^20.19 || ^22.12 || >=24')
  writeFileSync(join(folder, 'program.mjs'), `console.log('runs')`)
  for (const old of ['16.20.2', '18.20.4', '20.18.3', '21.7.3', '22.11.0', '23.11.0']) {
    const said = `Plimsoll does not run on Node ${old}: install Node 20.19, 22.12, or 24 or newer.\n`
    expect(await runOn(old)).toEqual(['', said, 1])
  }
  for (const version of ['20.19.0', '22.12.0', '24.0.0', '26.1.0'])
    expect(await runOn(version)).toEqual(['runs\n', '', 0])
})

test('a package that is not installed is one sentence that says what to run', async () => {
  writeFileSync(join(folder, 'program.mjs'), `await import('not-installed')`)
  const [, said, code] = await runOn(process.versions.node)
  expect([said, code]).toEqual([
    expect.stringMatching(/^Cannot find package 'not-installed' .*: run `npm ci --include=dev`.*\.\n$/),
    1,
  ])
})

const WAITS = `setInterval(() => {}, 1000); console.log('ready', process.pid)`

test('a program without handlers ends by the signal', async () => {
  const child = run(WAITS)
  child.stdout.once('data', () => child.kill('SIGINT'))
  expect(await once(child, 'exit')).toEqual([null, 'SIGINT'])
})

test('a program that a terminal has told to stop gets no second signal when the shell ends', async () => {
  const stops = `for (const name of ['SIGINT', 'SIGTERM'])
    process.on(name, () => { console.log(name); setTimeout(() => process.exit(4), 500) })
  ${WAITS}`
  // It passes no signal on.
  const shell = run(
    stops,
    [],
    `require('node:child_process').spawn(process.execPath, process.argv.slice(1), { stdio: 'inherit' })`,
  )
  shell.stdout.once('data', (chunk) => {
    process.kill(Number(String(chunk).split(' ')[1]), 'SIGINT')
    shell.kill('SIGINT')
  })
  expect(await output(shell)).toMatch(/^ready \d+\nSIGINT\n$/)
})

test('no script of package.json needs a POSIX shell, so that Windows runs each', () => {
  // Characters that a POSIX shell and cmd.exe read in different ways.
  const onlyPosix = /['`$;\\*~<>()!?#%^]|(?<!&)&(?!&)|\|/
  const isPosix = (command: string) =>
    onlyPosix.test(command) || !/^(node|npm|vite|vitest|tsc|oxlint|biome|knip)\b/.test(command)
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(
    Object.values<string>(scripts)
      .flatMap((one) => one.split(' && '))
      .filter(isPosix),
  ).toEqual([])
})

test.each([
  ['an import', `import 'not-installed'`],
  [
    'a require',
    `import { createRequire } from 'node:module'\ncreateRequire(import.meta.url)('not-installed')`,
  ],
])('a package that the built app lacks is one sentence too: %s', async (_, program) => {
  const built = (name: string) => readFileSync(new URL(`../tools/build/${name}`, import.meta.url), 'utf8')
  writeFileSync(join(folder, 'node-version.mjs'), built('node-version.mjs'))
  writeFileSync(join(folder, 'app.mjs'), program)
  writeFileSync(join(folder, 'serve.mjs'), built('serve.mjs').replace('../../src/serve.ts', './app.mjs'))
  const child = spawn(process.execPath, ['serve.mjs'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  children.add(child)
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  expect([said, code]).toEqual([
    expect.stringMatching(/^Cannot find [^\n]*'not-installed'[^\n]*: run `npm ci --omit=dev`[^\n]*\.\n$/),
    1,
  ])
})
