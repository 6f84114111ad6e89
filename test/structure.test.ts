// The layout of the repository: folders, a mirror test for each file, no import cycles, no path of one machine.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { ONLY_IN_CHROMIUM } from './firefox/only-in-chromium.ts'

const FOLDERS = ['bff', 'contract', 'sandbox', 'serve', 'store', 'web']

const SANDBOX_FOLDERS = [
  'choices',
  'state',
  'http',
  'api',
  'limits',
  'token',
  'authorize',
  'settings',
  'control',
]

/** Files whose test has another name, and why. */
const MIRRORED_ELSEWHERE: Record<string, string> = {
  'src/serve.ts': 'starts the process: test/browser does that',
  'src/serve/start/app.ts': 'opens sockets and disks: test/browser starts it as a process',
  'src/serve/sandbox/sandbox.ts': 'the same: test/browser/sandbox-process.test.ts',
  'src/serve/start/workers.ts': 'starts processes: test/browser/workers.test.ts',
  'src/serve/observe/worker-metrics.ts': 'asks processes: test/browser/operations.test.ts',
  ...Object.fromEntries(
    ['api', 'authorize', 'limits', 'settings', 'token', 'transport'].map((table) => [
      `src/sandbox/choices/${table}.ts`,
      'rows of data: choices.test.ts reads all, and docs/conformance.md names the test of each value',
    ]),
  ),
  ...Object.fromEntries(
    ['batch', 'batch-answer', 'ledger', 'notes', 'readings', 'sessions']
      .concat(
        ['batch', 'fold', 'ledger-functions', 'ledger', 'sessions', 'shared', 'upkeep'].map(
          (name) => `scripts/${name}`,
        ),
      )
      .map((part) => [
        `src/store/redis/${part}.ts`,
        'what Redis runs and answers: test/store/store.test.ts asks a real server, as test/store/redis/redis.test.ts does',
      ]),
  ),
  'src/web/components/room.tsx': 'holds space in a real browser: test/browser/layout.test.ts',
  'src/web/app/main.tsx': 'three lines that start the page: test/browser opens it',
}

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => join('src', file))
  .filter((file) => /\.tsx?$/.test(file))
const read = (file: string): string => readFileSync(file, 'utf8')

test('src holds six folders and serve.ts', () => {
  expect(readdirSync('src').toSorted()).toEqual([...FOLDERS, 'serve.ts'].toSorted())
})

test('src/sandbox holds sandbox.ts and its nine folders', () => {
  expect(readdirSync('src/sandbox').toSorted()).toEqual([...SANDBOX_FOLDERS, 'sandbox.ts'].toSorted())
})

/** A topic of one language: texts alone, all of them checked by test/web/text/dictionary.test.ts. */
const DICTIONARY = /^src\/web\/text\/(en|ja)\//

test('the folders are flat', () => {
  const depth = (file: string) =>
    file.split('/').length - (/^src\/(bff|sandbox|serve|store|web)\//.test(file) ? 1 : 0)
  expect(
    sources.filter(
      (file) => depth(file) > 3 && !DICTIONARY.test(file) && !file.startsWith('src/store/redis/scripts/'),
    ),
  ).toEqual([])
})

test.each(sources.filter((file) => !(file in MIRRORED_ELSEWHERE || DICTIONARY.test(file))))(
  '%s has its mirror in test',
  (file) => {
    const mirror = file.replace(/^src/, 'test').replace(/\.tsx?$/, '')
    expect([`${mirror}.test.ts`, `${mirror}.test.tsx`].filter((path) => existsSync(path))).toHaveLength(1)
  },
)

test('a file that is mirrored elsewhere exists', () => {
  expect(Object.keys(MIRRORED_ELSEWHERE).filter((file) => !sources.includes(file))).toEqual([])
})

test('no file has more than 250 lines', () => {
  expect(sources.filter((file) => read(file).trimEnd().split('\n').length > 250)).toEqual([])
})

test('no file is a barrel', () => {
  expect(sources.filter((file) => /\/index\.tsx?$/.test(file))).toEqual([])
})

test('no import is part of a cycle, type imports and late imports included', () => {
  const imports = (file: string): string[] =>
    [...read(file).matchAll(/(?:from|import\()\s*'(\.[^']+\.tsx?)'/g)].map((found) =>
      join(dirname(file), found[1] ?? ''),
    )
  const done = new Set<string>()
  const cycle = (file: string, path: string[]): string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file) || !existsSync(file)) return []
    const inside = imports(file)
      .map((next) => cycle(next, [...path, file]))
      .find((round) => round.length > 0)
    done.add(file)
    return inside ?? []
  }
  expect(sources.flatMap((file) => cycle(file, []))).toEqual([])
})

test('the lock file fits package.json', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json'))
  expect(JSON.parse(read('package-lock.json')).packages['']).toMatchObject({ dependencies, devDependencies })
})

test('the lock file has the packages of all platforms, without which npm ci refuses it', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { optionalDependencies?: Record<string, string> }>
  }
  const missing = Object.entries(packages).flatMap(([at, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !(`node_modules/${name}` in packages) && !(`${at}/node_modules/${name}` in packages),
    ),
  )
  expect(missing).toEqual([])
})

test('the lock file has the checksum of every package, except what is for other platforms and not installed here', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { integrity?: string; optional?: boolean; os?: string[] }>
  }
  const unchecked = Object.entries(packages).filter(
    ([at, { integrity = '' }]) => at !== '' && !integrity.startsWith('sha512-'),
  )
  expect(unchecked.filter(([at, { optional, os }]) => !optional || !os || existsSync(at))).toEqual([])
  // The registry that wrote the file has none of these.
  expect(unchecked.length).toBeLessThanOrEqual(44)
})

test('no package is asked for by a tag, which moves on and with which npm ci then refuses the lock file', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { dependencies?: Record<string, string> }>
  }
  const { overrides } = JSON.parse(read('package.json')) as { overrides: Record<string, string> }
  const asked = Object.values(packages).flatMap(({ dependencies = {} }) => Object.entries(dependencies))
  const byTag = asked.filter(
    ([name, range]) => /^[a-z]/.test(overrides[name] ?? range) && !range.startsWith('npm:'),
  )
  expect(byTag).toEqual([])
})

test('the lock file names packages, and no address', () => {
  expect(read('package-lock.json')).not.toContain('"resolved"')
})

test('no file names a registry or a folder of one machine', () => {
  const forbidden = new RegExp(
    ['registry\\.', 'npmjs\\.org', '(?<![\\w.])/(home|root|Users|work)/\\w'].join('|'),
  )
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  })
  const paths = listed
    .split('\0')
    .filter((file) => file && existsSync(file) && file !== 'test/structure.test.ts')
  expect(paths.filter((file) => forbidden.test(read(file)))).toEqual([])
})

test('each test that only Chromium runs exists', () => {
  const tests = readdirSync('test/browser').map((name) => read(`test/browser/${name}`))
  const isGone = (name: string) => !tests.some((text) => text.includes(`test('${name}'`))
  expect(Object.keys(ONLY_IN_CHROMIUM).filter(isGone)).toEqual([])
})
