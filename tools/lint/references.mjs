/**
 * Prints the numbers and sections that comments, test titles and documents cite and that docs/service.md or
 * docs/security.md lacks, and the relative links of documents that lead nowhere. Fails if there are any.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const SERVICE = 'docs/service.md'
/** The numbers of each document. S256 and similar words are methods of PKCE. */
const NUMBERS = [
  [SERVICE, /\b(?:[SUBCD](?!256|384|512)|checks? )\d+\b/g],
  ['docs/security.md', /\b(?:L|attacks? |requirements? )\d+\b/g],
]

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
const files = String(listed)
  .split('\n')
  .filter((file) => file !== '' && existsSync(file))
const code = files.filter((file) => /^(src|test|tools)\/.*\.(tsx?|m?js|css)$/.test(file))
// The changelog may name what is gone.
const documents = files.filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md')

const linesOf = (file) => (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [])
/** The numbers in a text, without the s of "attacks 67". */
const numbersIn = (text, pattern) => [...text.matchAll(pattern)].map(([number]) => number.replace('s ', ' '))

/** `8.4.2` of a heading or an anchor. */
const sections = linesOf(SERVICE).flatMap(
  (line) => /^#+ (\d+(?:\.\d+)*)\b|<a id="([\d.]+)">/.exec(line)?.slice(1) ?? [],
)
const known = new Map(
  NUMBERS.map(([document, pattern]) => [document, numbersIn(linesOf(document).join('\n'), pattern)]),
)

/** For `S40, 5.1, RFC 6749 4.1.2, 10.5` this is 5.1: later sections belong to the document that is named. */
function sectionsIn(bracket) {
  const parts = bracket.split(/[,;] */)
  const other = parts.findIndex((part) => /^(?!check|requirement|attack)[A-Za-z][\w ]* [\d.]+$/.test(part))
  return parts.slice(0, other === -1 ? undefined : other).filter((part) => /^(\d|\d+(\.\d+)+)$/.test(part))
}

/** The comment of a line. Titles are strings of test files, also in tables: there the whole line counts. */
function citingText(file, line) {
  if (file.startsWith('test/') || file.endsWith('.md')) return line
  return /(?:^|[\s{])\/[/*].*|^\s*\*.*/.exec(line)?.[0] ?? ''
}

/** What a text cites and its document lacks. */
function missingIn(text) {
  const numbers = NUMBERS.flatMap(([document, pattern]) =>
    numbersIn(text, pattern)
      .filter((number) => !known.get(document).includes(number))
      .map((number) => `cites ${number}, which ${document} lacks`),
  )
  const bracketed = [...text.matchAll(/(?<=^|\s)\(([^()[\]]*)\)/g)].flatMap(([, inside]) =>
    sectionsIn(inside),
  )
  const named = [...text.matchAll(/(?<!RFC \d+,? )\bsections? (\d(?:\.\d+)*)\b/gi)].map((match) => match[1])
  const missing = [...bracketed, ...named].filter((section) => !sections.includes(section))
  return [...numbers, ...missing.map((section) => `cites ${section}, which ${SERVICE} lacks`)]
}

/** The anchors that GitHub makes of headings, and those in the text. */
const anchorsOf = (file) =>
  linesOf(file).flatMap((line) => {
    const heading = /^#+ (.+)$/
      .exec(line)?.[1]
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    const written = [...line.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id)
    return heading === undefined ? written : [...written, heading.replaceAll(' ', '-')]
  })

/** The relative links of a line whose file or heading does not exist. */
const brokenIn = (file, line) =>
  [...line.matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)].flatMap(([, target]) => {
    const [path, anchor] = target.split('#')
    const found = path === '' ? file : join(dirname(file), path)
    const isThere = existsSync(found) && (anchor === undefined || anchorsOf(found).includes(anchor))
    return isThere ? [] : [`links to ${target}, which does not exist`]
  })

/** The files that the table of test helpers names in backticks. */
const absentIn = (file, line) =>
  [...line.matchAll(/`([\w./-]+\.(?:tsx?|mjs|sql))`/g)]
    .filter(([, path]) => !existsSync(join(dirname(file), path)))
    .map(([, path]) => `names ${path}, which does not exist`)

const findings = [...code, ...documents].flatMap((file) =>
  linesOf(file).flatMap((line, at) => {
    const broken = file.endsWith('.md') ? brokenIn(file, line) : []
    const absent = file === 'test/README.md' ? absentIn(file, line) : []
    return [...new Set([...missingIn(citingText(file, line)), ...broken, ...absent])].map(
      (finding) => `${file}:${at + 1} ${finding}`,
    )
  }),
)
for (const finding of findings) console.log(finding)
process.exitCode = findings.length > 0 ? 1 : 0
