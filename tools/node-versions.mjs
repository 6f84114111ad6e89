/**
 * The start and the tests of the server on each other supported line of Node, with an empty standard error.
 * `npm test` runs on the oldest. npm keeps the binaries of the package `node` in its own cache.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, dirname } from 'node:path'
import { text } from 'node:stream/consumers'

/** What meets Node itself: processes, sockets, files, native packages, and one flow through all parts. */
const SOME = [
  'test/fresh-clone.test.ts',
  'test/run.test.ts',
  'test/flow.test.ts',
  'test/serve/',
  'test/store/sqlite/',
]
const ALL = [...SOME, 'test/contract/', 'test/bff/', 'test/store/']
const TESTS = process.argv.includes('--whole') ? ALL : SOME
/** `latest` is the newest. */
const VERSIONS = ['22', '24', 'latest']
const VITEST = [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--project=unit',
  '--project=process',
  '--coverage.enabled=false',
]
const REPORTERS = ['--reporter=dot', '--reporter=./test/_closing-line.ts']

/** A line of Plimsoll's own log, which a test may cause. */
const OWN_LOG = /^\{"level":.*\n/gm

/** Windows starts no `npm` without a shell; a script of npm knows its file. */
const { npm_execpath: cli } = process.env
const [npm, ...first] = cli === undefined ? ['npm'] : [process.execPath, cli]

/** The path of a version's binary. */
function install(version) {
  const args = [
    ...first,
    'exec',
    '--yes',
    '--package',
    `node@${version}`,
    '--',
    'node',
    '--print',
    'process.execPath',
  ]
  return execFileSync(npm, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()
}

/** Runs the tests. @returns the version, what was counted, and whether all is well */
async function runOn(binary) {
  const env = { ...process.env, PATH: `${dirname(binary)}${delimiter}${process.env.PATH}`, NO_COLOR: '1' }
  const child = spawn(binary, [...VITEST, ...REPORTERS, ...TESTS], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, written, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  const complaints = written.replaceAll(OWN_LOG, '')
  const version = execFileSync(binary, ['--version'], { encoding: 'utf8' }).trim().slice(1)
  const [counts, passed = '0', failed = '1'] = /^(\d+) passed, (\d+) failed.*/m.exec(output) ?? [
    `no tests on Node ${version}`,
  ]
  const isWell = code === 0 && complaints === ''
  if (!isWell) console.log(`${output}\nStandard error of Node ${version}:\n${complaints}`)
  console.log(`${counts}${complaints === '' ? '' : ', and its standard error is not empty'}`)
  return { version, passed: Number(passed), failed: Number(failed), isWell }
}

const binaries = VERSIONS.map(install)
// Side by side, because the tests of store and serve wait for a good part of their time.
const runs = await Promise.all(binaries.map(runOn))
const sum = (name) => runs.reduce((total, run) => total + run[name], 0)
console.log(
  `${sum('passed')} passed, ${sum('failed')} failed, on Node ${runs.map(({ version }) => version).join(', ')}`,
)
process.exitCode = runs.every(({ isWell }) => isWell) ? 0 : 1
