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
  told: 'answered, reported, shown',
  untold: 'unreported',
  tell: 'report',
  tells: 'reports, shows',
  speaks: 'announces, specifies',
  heard: 'answered, announced',
  says: 'states, reports, shows, names',
  unheard: 'dropped',
  ticket: 'CSRF token',
  tickets: 'CSRF tokens',
  carryover: 'transfer',
  tally: 'counter',
  tallies: 'counters',
  anew: 'again',
  traveller: 'person, request',
  travellers: 'people, requests',
  neighbour: 'the other one',
  neighbours: 'the other ones',
  standing: 'what it decides: active, revoked, registered',
  betoken: 'mean',
  betokens: 'means',
  walk: 'flow',
  walks: 'flows',
  walked: 'went through',
  keeper: 'store',
  keepers: 'stores',
  kept: 'stored, persisted, unchanged',
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
  lays: 'creates',
  begun: 'started',
  whoever: 'the person who, any client that',
  nobody: 'no person, no one, unknown',
  somebody: 'a person',
  turn: 'iteration of the event loop, round',
  turns: 'iterations of the event loop, rounds',
}

/** Where a word of the table is right: the beginning of the path, the text around the word, and the reason. */
const ALLOWED: readonly (readonly [path: string, text: RegExp, reason: string])[] = [
  ['', /wall[-_ ]clock/gi, 'the standard term for the time of day'],
  ['', /\bswitch (?=\(|statement)|switch-exhaustiveness-check/g, 'the keyword'],
  ['src/web/', /\bwallMs\b/g, 'milliseconds of the wall clock'],
  ['test/web/', /\bwallMs\b/g, 'the same'],
  ['', /\/profile\b/g, 'a route of the control plane'],
  ['src/sandbox/state/seed.ts', /kept here and not on the wall|but the wall|nobody regrets/g, 'sample data'],
  ['src/sandbox/', /\bkept:|at_once_count_kept/g, 'values of the choices downgrade and planchange'],
  ['test/sandbox/settings/plan-change.test.ts', /'kept'|at_once_count_kept/g, 'the same'],
  ['src/store/sqlite-schema.ts', /\bsealed\b/g, 'a column of version 1 of the database'],
  ['test/store/sqlite-schema.test.ts', /\bsealed\b/g, 'the same'],
  ['', /\bkept for (signing in|sign-ins|presses)\b/g, 'the reserve of the last requests of a month'],
  ['', /\bin turn\b/g, 'one after another'],
  [
    '',
    /\bturns? (on|off|out|around|both|all|it|them|nothing|scripts|notifications|light-dark|the (direction|(whole )?card)|"\\u00a0)|turnO(n|ff)/gi,
    'the verb',
  ],
  ['CHANGELOG.md', /`--profile`|\{ profile \}/g, 'former names'],
  ['test/firefox/', /--profile|legacyUserProfileCustomizations/g, 'names of Firefox'],
  ['test/words.test.ts', /[^]*/g, 'the table itself'],
]

const files = [
  ...['src', 'test', 'docs', 'lint', 'bench'].flatMap((folder) =>
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
