// Names, comments, messages and documents use the standard word for a thing, and none of its former metaphors.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Each word that was replaced, and what is written in its place. */
const REPLACED: Record<string, string> = {
  house: 'context',
  houses: 'contexts',
  world: 'context',
  worlds: 'contexts',
  visit: 'request, context',
  visits: 'requests',
  wall: 'import boundary',
  walls: 'import boundaries',
  door: 'route, listener',
  doors: 'routes, listeners',
  desk: 'control context',
  desks: 'control contexts',
  veil: 'mask',
  veiled: 'masked',
  farewell: 'sign-out',
  ticket: 'CSRF token',
  tickets: 'CSRF tokens',
  carryover: 'transfer',
  tally: 'counter',
  tallies: 'counters',
  traveller: 'person, request',
  travellers: 'people, requests',
  neighbour: 'the other one',
  neighbours: 'the other ones',
  betoken: 'mean',
  betokens: 'means',
  walk: 'flow',
  walks: 'flows',
  walked: 'went through',
  keeper: 'store',
  keepers: 'stores',
  introduction: 'banner',
  introductions: 'banners',
  withdrawal: 'revocation',
  withdrawals: 'revocations',
  seal: 'encrypt',
  sealed: 'encrypted',
  unseal: 'decrypt',
  switch: 'choice',
  switches: 'choices',
  profile: 'choices',
  profiles: 'choices',
}

/** Where a word of the table is right: the beginning of the path, the text around the word, and the reason. */
const ALLOWED: readonly (readonly [path: string, text: RegExp, reason: string])[] = [
  ['', /wall[-_ ]clock/gi, 'the standard term for the time of day'],
  ['', /\bswitch (?=\(|statement)|switch-exhaustiveness-check/g, 'the keyword'],
  ['src/web/', /\bwallMs\b/g, 'milliseconds of the wall clock'],
  ['test/web/', /\bwallMs\b/g, 'the same'],
  ['', /\/profile\b/g, 'a route of the control plane'],
  ['src/sandbox/state/seed.ts', /on the wall|but the wall/g, 'sample data'],
  ['src/store/sqlite/schema.ts', /\bsealed\b/g, 'a column of version 1 of the database'],
  ['test/store/sqlite/schema.test.ts', /\bsealed\b/g, 'the same'],
  ['test/firefox/', /--profile|legacyUserProfileCustomizations/g, 'names of Firefox'],
  ['test/words.test.ts', /[^]*/g, 'the table itself'],
]

const files = [
  ...['src', 'test', 'tools', 'docs'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  ),
  ...readdirSync('.'),
].filter((file) => /\.([cm]?[jt]sx?|css|md)$/.test(file))

const withoutAllowed = (file: string, text: string): string =>
  ALLOWED.filter(([path]) => file.startsWith(path)).reduce(
    (left, [, allowed]) => left.replaceAll(allowed, ''),
    text,
  )

/** The words of a text in lower case; `aName`, `a-name` and `A_NAME` are two each. */
const wordsOf = (text: string): string[] =>
  (text.replaceAll(/carry-?over/gi, 'carryover').match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) =>
    word.toLowerCase(),
  )

/** As `file:line: word -> what to write`; line 0 is the name of the file. */
function replacedWords(file: string, text: string): string[] {
  const lines = [file, ...text.split('\n')]
  return lines.flatMap((line, at) =>
    wordsOf(withoutAllowed(file, line))
      .filter((word) => Object.hasOwn(REPLACED, word))
      .map((word) => `${file}:${at}: ${word} -> ${REPLACED[word]}`),
  )
}

test('no name, comment, message or document has a word that was replaced', () => {
  expect(files.flatMap((file) => replacedWords(file, readFileSync(file, 'utf8')))).toEqual([])
})

test.each([
  ['src/a.ts', 'the house', 'src/a.ts:1: house -> context'],
  ['src/a.ts', 'x\nconst openHouse = 1', 'src/a.ts:2: house -> context'],
  ['src/a.ts', 'OPEN_HOUSE', 'src/a.ts:1: house -> context'],
  ['src/carry-over.ts', '', 'src/carry-over.ts:0: carryover -> transfer'],
  ['src/a.ts', "path === '/seed' ? profile : 1", 'src/a.ts:1: profile -> choices'],
])('in %s, %j is found', (file, text, finding) => {
  expect(replacedWords(file, text)).toEqual([finding])
})

test('an allowed text is not found, and neither is a longer word', () => {
  expect(replacedWords('src/a.ts', "switch (x) {\ncase '/profile': outstanding, household")).toEqual([])
})

test.each(ALLOWED)('the place allowed in "%s", %s, exists: %s', (path, text) => {
  expect(files.some((file) => file.startsWith(path) && readFileSync(file, 'utf8').search(text) !== -1)).toBe(
    true,
  )
})
