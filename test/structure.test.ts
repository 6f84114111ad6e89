// The repository's folders, their sizes and tests, no import cycles, no path of one machine.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
// @ts-expect-error -- oxlint loads its plugins as JavaScript, which has no types
import { ORDER } from '../tools/lint/plimsoll.js'
import { ONLY_IN_CHROMIUM } from './firefox/only-in-chromium.ts'

const PARTS = ['bff', 'contract', 'sandbox', 'serve', 'store', 'web']

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file))
const sources = filesBelow('src').filter((file) => /\.tsx?$/.test(file))
const read = (file: string): string => readFileSync(file, 'utf8')

test('src holds six parts and serve.ts', () => {
  expect(readdirSync('src').toSorted()).toEqual([...PARTS, 'serve.ts'].toSorted())
})

test.each(Object.entries<(string | string[])[]>(ORDER))(
  "src/%s holds the folders of lint's order, and nothing else",
  (part, order) => {
    expect(readdirSync(`src/${part}`).toSorted()).toEqual(order.flat().toSorted())
  },
)

/** It is flat, and may hold more. */
const LARGE = ['src/contract']

test('no folder has more than 20 modules of its own', () => {
  const folders = sources.map(dirname)
  const sizes = [...new Set(folders)].map((folder) => [
    folder,
    folders.filter((one) => one === folder).length,
  ])
  const large = sizes.filter(([folder, size]) => Number(size) > 20 && !LARGE.includes(String(folder)))
  expect(large).toEqual([])
})

test('the tests of a part stand in folders of src', () => {
  const tests = PARTS.flatMap((part) => filesBelow(`test/${part}`)).filter((file) => file.includes('.test.'))
  const mirrored = new Set(sources.map((file) => dirname(file).replace(/^src/, 'test')))
  expect(tests.filter((file) => !mirrored.has(dirname(file)))).toEqual([])
})

/** The build names the classes of a style sheet after its file. */
test('no two style sheets have the same name', () => {
  const names = filesBelow('src').flatMap((file) => (file.endsWith('.module.css') ? [basename(file)] : []))
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

/** Words that must not stand in the files of these names, and a line that has them. */
const FORBIDDEN: readonly (readonly [why: string, words: RegExp, files: RegExp, example: string])[] = [
  [
    'asks for the time, which only serve reads',
    /new Date\(\)|(?<!new )\bDate\(/,
    /^src\/(contract|bff|sandbox|store)\//,
    'x = Date()',
  ],
  [
    'names a secret that no browser sees',
    /client_?secret|access_?token|refresh_?token/i,
    /^src\/web\//,
    'accessToken',
  ],
  [
    'spends a request but the one whose mutation runs at a press',
    /\bSPEND_HEADER\b|X-Plimsoll-Spend/i,
    /^src\/web\/(?!spend\/paid\.ts)/,
    'headers.set(SPEND_HEADER, "1")',
  ],
  [
    'repeats a mutation by itself, or sends it later',
    /\b(retry|networkMode|resumePausedMutations)\b/,
    /^src\/web\/(?!lib\/query\.ts)/,
    'useMutation({ retry: 3 })',
  ],
  ['exports a whole file', /export \*/, /./, "export * from './a.ts'"],
]

test.each(FORBIDDEN)('no file %s', (_, words, files, example) => {
  expect(example).toMatch(words)
  const code = filesBelow('src').filter((file) => /\.(tsx?|js)$/.test(file) && files.test(file))
  expect(code.length).toBeGreaterThan(40)
  expect(code.filter((file) => words.test(read(file)))).toEqual([])
})

test('a query asks again by itself, so that none can spend: the file that spends has hooks of a press alone', () => {
  const spend = read('src/web/spend/paid.ts')
  expect(spend).not.toMatch(/queryFn|useQuery\b|useEffect|setInterval|setTimeout/)
  const exported = [...spend.matchAll(/export (?:const|function|async function) (\w+)/g)].map(
    ([, name]) => name,
  )
  expect(exported.filter((name) => !/^use[A-Z]|^PAID_KEY$/.test(name ?? ''))).toEqual([])
  expect(read('src/web/lib/query.ts')).toContain("mutations: { retry: false, networkMode: 'always' }")
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

test('the lock file has the checksum of every package, of all platforms', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { integrity?: string; link?: boolean; inBundle?: boolean }>
  }
  // A link has no archive, and a bundled package is inside the archive of another.
  const archives = Object.entries(packages).filter(
    ([at, { link, inBundle }]) => at !== '' && !link && !inBundle,
  )
  const isChecked = ({ integrity = '' }) => /^sha512-[\w+/]{86}==$/.test(integrity)
  expect(archives.flatMap(([at, entry]) => (isChecked(entry) ? [] : [at]))).toEqual([])
})

test('no package is named by a tag, because a tag moves and npm ci then refuses the lock file', () => {
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
  const isGone = (name: string) => !tests.some((text) => text.includes(`'${name}'`))
  expect(Object.keys(ONLY_IN_CHROMIUM).filter(isGone)).toEqual([])
})
