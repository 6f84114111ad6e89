/**
 * The start and the tests of the server on each other supported line of Node, with an empty standard error.
 * `npm test` runs on the oldest. npm keeps the binaries of the package `node` in its own cache.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, dirname } from 'node:path'
import { text } from 'node:stream/consumers'

const VERSIONS = ['22', '24', 'latest']
const VITEST =
  'run --project=unit --project=process --coverage.enabled=false --reporter=dot --reporter=./test/_closing-line.ts'
/** What meets Node itself: processes, sockets, files, native packages, and one flow through all parts. */
const TESTS = ['fresh-clone.test.ts', 'run.test.ts', 'flow.test.ts', 'serve/', 'store/file', 'store/store']
/** A line of Plimsoll's own log, which a test may cause. */
const OWN_LOG = /^\{"level":.*\n/gm
/** Windows starts no `npm` without a shell; a script of npm knows its file. */
const { npm_execpath: cli } = process.env
const [npm, ...first] = cli === undefined ? ['npm'] : [process.execPath, cli]

/** Runs the tests. @returns the version, how many tests passed and failed, and whether all is well */
async function runOn(wanted) {
  const asked = ['exec', '--yes', '--package', `node@${wanted}`, '--', 'node', '--print', 'process.execPath']
  const binary = execFileSync(npm, [...first, ...asked], { encoding: 'utf8' }).trim()
  const env = { ...process.env, PATH: `${dirname(binary)}${delimiter}${process.env.PATH}`, NO_COLOR: '1' }
  const args = [
    'node_modules/vitest/vitest.mjs',
    ...VITEST.split(' '),
    ...TESTS.map((test) => `test/${test}`),
  ]
  const child = spawn(binary, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, written, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  const complaints = written.replaceAll(OWN_LOG, '')
  const version = execFileSync(binary, ['--version'], { encoding: 'utf8' }).trim().slice(1)
  const [counts, passed = 0, failed = 1] = /^(\d+) passed, (\d+) failed.*/m.exec(output) ?? ['no tests']
  const isWell = code === 0 && complaints === ''
  if (!isWell) console.log(`${output}\nStandard error of Node ${version}:\n${complaints}`)
  console.log(`Node ${version}: ${counts}${complaints === '' ? '' : ', and its standard error is not empty'}`)
  return { version, passed: Number(passed), failed: Number(failed), isWell }
}

// Side by side, because the tests of store and serve wait for a good part of their time.
const runs = await Promise.all(VERSIONS.map(runOn))
const sum = (name) => runs.reduce((total, run) => total + run[name], 0)
const versions = runs.map(({ version }) => version).join(', ')
console.log(`${sum('passed')} passed, ${sum('failed')} failed, on Node ${versions}`)
process.exitCode = runs.every(({ isWell }) => isWell) ? 0 : 1
