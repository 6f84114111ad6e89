// The conclusions of `npm run mutate` from a run; the run itself is Stryker's.
import { expect, test } from 'vitest'
import { readCommand, USAGE } from '../tools/mutation/command.ts'
import { PARTS } from '../tools/mutation/parts.ts'
import { countsIn, misses, replaceSection, score, section, update } from '../tools/mutation/score.ts'
import { compare, type Mutant } from '../tools/mutation/survivors.ts'

const mutant = (what: Partial<Mutant> = {}): Mutant => ({
  file: 'src/a.ts',
  line: 'return a < b',
  mutator: 'EqualityOperator',
  replacement: 'a <= b',
  ...what,
})

test('an unlisted survivor is reported, and so is an entry without a survivor', () => {
  expect(compare([mutant()], [mutant()])).toEqual({ unlisted: [], stale: [] })
  for (const other of [{ file: 'b' }, { line: 'b' }, { mutator: 'b' }, { replacement: 'b' }])
    expect(compare([mutant()], [mutant(other)])).toEqual({ unlisted: [mutant()], stale: [mutant(other)] })
})

test('a part and each of its files have a lowest score', () => {
  const counts = [
    { file: 'src/a.ts', detected: 95, total: 100 },
    { file: 'src/b.ts', detected: 0, total: 0 },
  ]
  expect(misses('a', counts, { part: 95, file: 90 })).toEqual([])
  expect(misses('a', [{ file: 'src/a.ts', detected: 9499, total: 10_000 }], { part: 95, file: 90 })).toEqual([
    'a: 94.9 per cent, at least 95 wanted',
  ])
  expect(
    misses('a', [...counts, { file: 'src/c.ts', detected: 8, total: 9 }], { part: 90, file: 90 }),
  ).toEqual(['src/c.ts: 88.8 per cent, at least 90 wanted'])
  expect(score({ detected: 0, total: 0 })).toBe(100)
})

test('a section replaces that of the same part and leaves the others', () => {
  const [a, b] = [section('a', [], []), section('b', [], [])]
  const both = replaceSection(replaceSection('# Title\n\nText.\n', 'a', a), 'b', b)
  expect(both).toBe(`# Title\n\nText.\n\n${a}\n${b}`)
  const newer = section(
    'a',
    [{ file: 'src/a.ts', detected: 1, total: 2 }],
    [{ ...mutant(), reason: 'They are never equal.' }],
  )
  expect(newer).toContain('| `src/a.ts` | 2 | 1 | 50.0 |')
  expect(newer).toContain('- `src/a.ts`: `` return a < b `` with EqualityOperator `` a <= b ``. They are')
  expect(replaceSection(both, 'a', newer)).toBe(`# Title\n\nText.\n\n${newer}\n${b}`)
  expect(replaceSection(both, 'b', b)).toBe(both)
})

test('a run of one file changes its row and the total, and not the rows of other files', () => {
  const former = [
    { file: 'src/a/b.ts', detected: 1, total: 2 },
    { file: 'src/a/d.ts', detected: 8, total: 8 },
  ]
  const document = `# Title\n\n${section('a', former, [{ ...mutant(), reason: 'Never.' }])}\n${section('b', [], [])}`
  expect(countsIn(document, 'a')).toEqual(former)
  expect(countsIn(document, 'b')).toEqual([])
  expect(countsIn(document, 'c')).toEqual([])
  const newer = { file: 'src/a/c.ts', detected: 1, total: 1 }
  const again = { file: 'src/a/b.ts', detected: 2, total: 2 }
  expect(update(former, [newer, again])).toEqual([again, newer, former[1]])
  expect(section('a', update(former, [newer, again]), [])).toContain('| **all** | 11 | 0 | 100.0 |')
})

test.each([
  [['--help'], USAGE],
  [['contarct'], `No such part: contarct\n${USAGE}`],
  [['--concurrency=0'], `--concurrency is a whole number from 1 to 99\n${USAGE}`],
  [['--concurency=1'], expect.stringMatching(/^Unknown option '--concurency'/)],
])('npm run mutate with %j prints the usage and runs nothing', (args, text) => {
  expect(readCommand(args)).toEqual(text)
})

test('npm run mutate runs the named test files in place of those of the part', () => {
  expect(readCommand(['store', '--tests', 'a.test.ts', '--tests', 'b.test.ts'])).toMatchObject({
    runs: [{ part: { name: 'store' } }],
    tests: ['a.test.ts', 'b.test.ts'],
  })
})

test('npm run mutate runs all parts on two cores, or the named parts and files', () => {
  expect(readCommand([])).toEqual({
    runs: PARTS.map((part) => ({ part })),
    concurrency: 2,
    nearest: false,
  })
  const [contract, bff] = PARTS
  const file = 'src/bff/http/cookie.ts'
  expect(readCommand([file, 'contract', '--concurrency', '1', '--nearest'])).toEqual({
    runs: [{ part: contract }, { part: bff, files: [file] }],
    concurrency: 1,
    nearest: true,
  })
})
