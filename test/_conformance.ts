/** Finds mismatches of docs/conformance.md, the titles of the tests and the references in the text. */
import { basename, dirname, join } from 'node:path'
import { parseSync } from 'vite'

/** The length of each list. */
export const LISTS = { S: 105, check: 70, U: 84, B: 42, C: 40, D: 10, requirement: 80, attack: 80, L: 40 }

export interface Row {
  /** `S12`, `check 3`. */
  number: string
  section: string
  words: string
  shownBy: string
}

/** The rows of all tables whose first cell is a number of a list. */
export function rowsOf(markdown: string): Row[] {
  return markdown.split('\n').flatMap((line) => {
    const [, number = '', section = '', words = '', shownBy = ''] = line.split('|').map((cell) => cell.trim())
    return /^([SUBCDL]|check |requirement |attack )\d+$/.test(number)
      ? [{ number, section, words, shownBy }]
      : []
  })
}

/** `S1` to `attack 80`, in the order of {@link LISTS}. */
export const NUMBERS = Object.entries(LISTS).flatMap(([list, last]) =>
  Array.from({ length: last }, (_, at) => `${list}${list.length > 1 ? ' ' : ''}${at + 1}`),
)

/** The numbers with no row or more than one, and the rows without a section or words. */
export function wrongRows(rows: Row[]): string[] {
  const count = (number: string) => rows.filter((row) => row.number === number).length
  return [
    ...NUMBERS.filter((number) => count(number) !== 1).map((number) => `${number} has ${count(number)} rows`),
    ...rows.filter(({ number }) => !NUMBERS.includes(number)).map(({ number }) => `${number} is in no list`),
    ...rows
      .filter(({ section, words }) => section === '' || words === '')
      .map(({ number }) => `${number} is empty`),
  ]
}

/** The tests that a row names, as `file › title`. */
const testsOf = ({ shownBy }: Row): string[] =>
  [...shownBy.matchAll(/`([^`]+ › [^`]+)`/g)].map(([, test = '']) => test)

/** They give neither what is missing nor the reason for leaving it out. */
export const withoutTest = (rows: Row[]): string[] =>
  rows
    .filter((row) => testsOf(row).length === 0 && !/(not yet|left out): \S/.test(row.shownBy))
    .map(({ number }) => number)

/** The requirements and attacks whose rows name tests and that no test names. */
export function unnamedRows(rows: Row[], sources: Map<string, Source>): string[] {
  const named = new Set([...sources.values()].flatMap((source) => source.named.flatMap(referencesIn)))
  return rows
    .filter((row) => /^(requirement|attack) /.test(row.number) && testsOf(row).length > 0)
    .map(({ number }) => number)
    .filter((number) => !named.has(number))
}

export interface Source {
  titles: string[]
  /** The titles with their closing brackets. */
  named: string[]
  comments: string[]
  text: string
}

interface Node {
  type: string
  start: number
  end: number
  [member: string]: unknown
}

export function readSource(file: string, text: string): Source {
  const { program, comments } = parseSync(file, text)
  const named: string[] = []
  collect(program, text, '', named)
  return { titles: named.map(withoutBrackets), named, comments: comments.map(({ value }) => value), text }
}

/** Adds the title of each test below a node, after those of the `describe`s around it. */
function collect(node: unknown, text: string, around: string, titles: string[]): void {
  if (Array.isArray(node)) {
    for (const one of node) collect(one, text, around, titles)
    return
  }
  if (typeof node !== 'object' || node === null) return
  const [title, body] = titled(node as Node, text) ?? []
  if (title === undefined) {
    for (const member of Object.values(node)) collect(member, text, around, titles)
    return
  }
  const whole = around + title
  if (rootOf(node as Node) === 'describe')
    collect(body, text, `${around}${withoutBrackets(title)} > `, titles)
  else titles.push(whole)
}

/** The title and the rest of the arguments of a call of `test` or `describe`, `.each` included. */
function titled(node: Node, text: string): [string, unknown] | undefined {
  if (node.type !== 'CallExpression' || !/^(test|it|describe)$/.test(rootOf(node) ?? '')) return undefined
  const [first, ...rest] = node.arguments as Node[]
  if (first === undefined || rest.length === 0) return undefined
  if (first.type === 'TemplateLiteral') return [text.slice(first.start + 1, first.end - 1), rest]
  return first.type === 'Literal' ? [String(first.value), rest] : undefined
}

/** The name at the beginning of `test.each(...)(...)`. */
function rootOf(node: Node): string | undefined {
  const inner = (node.callee ?? node.object) as Node | undefined
  return node.type === 'Identifier' ? String(node.name) : inner && rootOf(inner)
}

const withoutBrackets = (title: string) => title.replace(/(\s*\([^()]*\))+$/, '')

/** The tests that rows name and that do not exist, each with the most similar one. */
export function unknownTests(
  rows: Row[],
  sources: Map<string, Source>,
): { number: string; test: string; nearest: string }[] {
  const all = [...sources].flatMap(([file, { titles }]) =>
    titles.map((title) => candidate(`${file} › ${title}`)),
  )
  return rows.flatMap((row) =>
    testsOf(row)
      .filter((test) => !isThere(test, sources))
      .map((test) => ({ number: row.number, test, nearest: nearestTo(candidate(test), all) })),
  )
}

function isThere(test: string, sources: Map<string, Source>): boolean {
  const [file = '', title = ''] = test.split(' › ')
  const source = sources.get(file)
  return source?.titles.some((known) => known === title || isExpanded(known, title, source.text)) ?? false
}

/** True if `test.each` can make the title from another one, with strings of the file. */
function isExpanded(template: string, title: string, text: string): boolean {
  const pattern = template
    .split(/%[sdifjo]|\$\{[^}]*\}|\$\w+/)
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const words = pattern.length > 1 ? new RegExp(`^${pattern.join('(.+)')}$`).exec(title)?.slice(1) : undefined
  return words?.every((word) => text.includes(`'${word}'`)) ?? false
}

interface Candidate {
  test: string
  /** The name of the file, without its folders. */
  file: string
  words: Set<string>
}

function candidate(test: string): Candidate {
  const [file = '', title = ''] = test.split(' › ')
  return { test, file: basename(file), words: new Set(title.toLowerCase().match(/[\w%]+/g)) }
}

/** Two titles with fewer common words are of different tests, and not of a renamed one. */
const LIKENESS = 0.5

/** The title with the most common words; among equals, the one in a file of the same name; empty if none. */
function nearestTo(gone: Candidate, all: Candidate[]): string {
  const likeness = ({ file, words }: Candidate) => {
    const common = [...gone.words].filter((word) => words.has(word)).length
    return common / Math.max(gone.words.size, words.size) + (file === gone.file ? 0.1 : 0)
  }
  const ranked = all.map((one) => [one.test, likeness(one)] as const).toSorted(([, a], [, b]) => b - a)
  return ranked[0] !== undefined && ranked[0][1] >= LIKENESS ? ranked[0][0] : ''
}

/** The sections of docs/service.md: those of its headings, and those of its anchors. */
export const sectionsOf = (markdown: string): string[] =>
  [...markdown.matchAll(/^#+ (\d+(?:\.\d+)*)\b|<a id="(\d+(?:\.\d+)+)">/gm)].map(
    ([, heading, anchor]) => heading ?? anchor ?? '',
  )

/** For example `S12`, `check 3`, `attack 7`, `8.4.2`. Sections of an RFC are left out. */
export function referencesIn(text: string): string[] {
  // S256 and similar words are methods of PKCE.
  const numbers = [
    ...text.matchAll(/\b(?:[SUBCDL](?!256|384|512)|(?:check|requirement|attack)s? )\d+\b/g),
  ].map(([number]) => number.replace('s ', ' '))
  const bracketed = [...text.matchAll(/\(([^()]*)\)/g)].flatMap(([, inside = '']) => sectionsIn(inside))
  const inWords = [
    ...text.matchAll(/(?<!RFC \d+,? )\bsections? (\d+(?:\.\d+)*(?:(?:, | and | or | to )\d+(?:\.\d+)*)*)/gi),
  ].flatMap(([, list = '']) => list.split(/, | and | or | to /))
  return [...new Set([...numbers, ...bracketed, ...inWords])]
}

/**
 * For `S40, 5.1, RFC 6749 4.1.2, 10.5` this is 5.1: a section after the name of another document belongs to
 * that one.
 */
function sectionsIn(bracket: string): string[] {
  const parts = bracket.split(/[,;] */)
  const other = parts.findIndex(
    (part) => /^[A-Za-z][\w ]* [\d.]+$/.test(part) && !/^(check|requirement|attack) /.test(part),
  )
  return (other === -1 ? parts : parts.slice(0, other)).filter((part) => /^(\d|\d+(\.\d+)+)$/.test(part))
}

/** The choices in a file of the sandbox: number, key, sections, values with the default first. */
export function choicesOf(
  text: string,
): { number: string; key: string; sections: string[]; values: string[] }[] {
  const found = text.matchAll(/^ {2}(\w+): choice\((\d+), '([^']+)'[\s\S]*?values: \{([\s\S]*?)\}/gm)
  return [...found].map(([, key = '', number = '', sections = '', values = '']) => ({
    number: `U${number}`,
    key,
    sections: sections.split(', '),
    values: [...values.matchAll(/(\w+):\s*['"`]/g)].map(([, value = '']) => value),
  }))
}

/** The relative links of a Markdown text whose file or heading does not exist. */
export function brokenLinks(
  file: string,
  markdown: string,
  read: (path: string) => string | undefined,
): string[] {
  return [...markdown.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [path = '', anchor] = target.split('#')
      const found = read(path === '' ? file : join(dirname(file), path))
      return found === undefined || (anchor !== undefined && !anchorsOf(found).includes(anchor))
    })
    .map((target) => `${file}: ${target}`)
}

const anchorsOf = (markdown: string): string[] => [
  ...[...markdown.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id),
  ...[...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  ),
]
