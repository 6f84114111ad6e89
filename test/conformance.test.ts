// docs/conformance.md, security.md and service.md: each number has a row; named tests and references exist.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  brokenLinks,
  choicesOf,
  LISTS,
  NUMBERS,
  readSource,
  referencesIn,
  rowsOf,
  sectionsOf,
  type Source,
  unknownTests,
  unnamedRows,
  withoutTest,
  wrongRows,
} from './_conformance.ts'

const TABLES = ['docs/conformance.md', 'docs/security.md']
const read = (file: string) => readFileSync(file, 'utf8')
/** A folder exists, and has no text. */
const found = (path: string) => {
  const known = statSync(path, { throwIfNoEntry: false })
  return known && (known.isFile() ? read(path) : '')
}

const below = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file))
const sources = new Map<string, Source>(
  ['src', 'test', 'tools']
    .flatMap(below)
    .filter((file) => /\.(tsx?|m?js)$/.test(file))
    .map((file) => [file, readSource(file, read(file))]),
)
const documents = [...readdirSync('.'), ...below('docs')].filter((file) => file.endsWith('.md'))
const rows = TABLES.flatMap((file) => rowsOf(read(file)))

const known = new Set([...NUMBERS, ...sectionsOf(read('docs/service.md'))])
const unresolved = (file: string, text: string) =>
  referencesIn(text)
    .filter((reference) => !known.has(reference))
    .map((reference) => `${file}: ${reference}`)

test('each number of each list has one row, with a section and words', () => {
  expect(wrongRows(rows)).toEqual([])
})

test('each test that a row names exists', () => {
  const gone = unknownTests(rows, sources)
  if (process.env.REPAIR === '1') {
    const renamed = gone.filter(({ nearest }) => nearest !== '')
    for (const file of TABLES) {
      const repaired = renamed.reduce(
        (text, { test: old, nearest }) => text.replaceAll(`\`${old}\``, `\`${nearest}\``),
        read(file),
      )
      writeFileSync(file, repaired)
    }
  }
  expect(gone).toEqual([])
})

test('each requirement and attack whose row names tests is in the title of a test', () => {
  expect(unnamedRows(rows, sources)).toEqual([])
})

test('a row without a test names what is missing, or the reason for leaving it out', () => {
  expect(withoutTest(rows)).toEqual([])
})

test('each number and section in a comment, a test name or a document has its place in docs', () => {
  const inSources = [...sources].flatMap(([file, { titles, comments }]) =>
    unresolved(file, [...titles, ...comments].join('\n')),
  )
  expect([...inSources, ...documents.flatMap((file) => unresolved(file, read(file)))]).toEqual([])
})

test('the section of each row is one of the service, or of a document that it names', () => {
  const isNamed = (section: string) => /^(RFC|WCAG|ASVS|BCP) [\d.]+/.test(section) || section === 'none'
  expect(rows.filter(({ section }) => !known.has(section) && !isNamed(section))).toEqual([])
})

const choices = [...sources]
  .filter(([file]) => file.startsWith('src/sandbox'))
  .flatMap(([, { text }]) => choicesOf(text))
const rowOf = (number: string) => rows.find((row) => row.number === number)

test('each row of a choice has the key and the section that its number has in the sandbox', () => {
  const wrong = choices.filter(({ number, key, sections }) => {
    const { shownBy = '', section = '' } = rowOf(number) ?? {}
    return !shownBy.startsWith(`\`${key}\``) || !sections.includes(section)
  })
  expect([choices.length, wrong]).toEqual([LISTS.U, []])
})

test('each value of a choice except its default is in a test file that its row names', () => {
  const unset = choices.flatMap(({ number, values }) => {
    const files = [...(rowOf(number)?.shownBy ?? '').matchAll(/`(\S+) › /g)].map(([, file = '']) => file)
    const text = files.map((file) => sources.get(file)?.text).join('\n')
    return values
      .slice(1)
      .filter((value) => !text.includes(value))
      .map((value) => `${number}: ${value}`)
  })
  expect(unset).toEqual([])
})

test('each relative link of the documents exists', () => {
  expect(documents.flatMap((file) => brokenLinks(file, read(file), found))).toEqual([])
})

const PLANTED = `| S1 | 5.3 | words | \`test/a.test.ts › a title\` |
| S2 | 5.3 | words | \`test/a.test.ts › one and one\`; not yet: more |`
const SOURCE = readSource(
  'a.test.ts',
  `// A comment (5.3).
describe('outer (S1)', () => { test.each([['inner']])('%s title (S2, 5.3)', () => {}) })
test('a title (S1, RFC 6749 4.1)', () => {})
test.each([['one']])(\`$\{x} and %s\`, () => {})`,
)
const PLACE = new Map([['test/a.test.ts', SOURCE]])

test.each([
  ['a number without a row', () => wrongRows(rows.slice(1)), 'S1 has 0 rows'],
  ['a number with two rows', () => wrongRows([...rows, ...rows.slice(0, 1)]), 'S1 has 2 rows'],
  [
    'a number of no list',
    () => wrongRows([...rows, ...rowsOf('| B43 | 8 | words | - |')]),
    'B43 is in no list',
  ],
  ['a row without words', () => wrongRows(rowsOf('| S1 | 8 | | - |')), 'S1 is empty'],
  [
    'an attack that no test is named after',
    () => unnamedRows(rowsOf('| attack 7 | none | words | `test/a.test.ts › a title` |'), PLACE),
    'attack 7',
  ],
  ['a row without a test', () => withoutTest(rowsOf('| S1 | 8 | words | not yet: |')), 'S1'],
  [
    'a test that was renamed',
    () => unknownTests(rowsOf(PLANTED.replace('a title', 'the title')), PLACE).map(({ test: name }) => name),
    'test/a.test.ts › the title',
  ],
  [
    'a test.each title whose strings are nowhere',
    () => unknownTests(rowsOf(PLANTED.replace('one and', 'two and')), PLACE).map(({ test: name }) => name),
    'test/a.test.ts › two and one',
  ],
  ['a number beyond its list', () => unresolved('a', 'as it is (S106)'), 'a: S106'],
  ['a check beyond its list', () => unresolved('a', '(check 71, RFC 6749 4.1)'), 'a: check 71'],
  ['a section that there is not', () => unresolved('a', 'as it is (8.5, RFC 6749 10.5)'), 'a: 8.5'],
  ['a section that is named in words', () => unresolved('a', 'sections 7 and 8.4.5 say so'), 'a: 8.4.5'],
  [
    'a value of a choice',
    () =>
      choicesOf("  redir: choice(1, '4.1', {\n    values: { query: 'else: x', fragment: 'y' },").flatMap(
        ({ values }) => values,
      ),
    'fragment',
  ],
  ['a link to no file', () => brokenLinks('docs/a.md', '[x](b.md)', () => undefined), 'docs/a.md: b.md'],
  ['a link to no heading', () => brokenLinks('docs/a.md', '[x](#b)', () => '# c'), 'docs/a.md: #b'],
])('%s is found', (_what, find, finding) => {
  expect(find()).toContain(finding)
})

test('correct rows and references pass', () => {
  expect(unknownTests(rowsOf(PLANTED), PLACE)).toEqual([])
  expect(SOURCE.titles).toEqual(['outer > %s title', 'a title', '${x} and %s'])
  expect(referencesIn('(S1, check 2, 5.3; RFC 6749 5.1, 7.1) sends S256, sections 7 and 8.4.3')).toEqual([
    'S1',
    'check 2',
    '5.3',
    '7',
    '8.4.3',
  ])
})
