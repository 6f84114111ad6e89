// Names, comments, messages and documents use the standard term for a part of the program, and no metaphor.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Each metaphor, which was once a name here, and its replacement. Plurals are found too. */
const METAPHORS: Record<string, string> = {
  house: 'context',
  world: 'context',
  visit: 'request, context',
  door: 'route, listener',
  desk: 'control context',
  veil: 'mask',
  veiled: 'masked',
  farewell: 'sign-out',
  traveller: 'person, request',
  neighbour: 'the other one',
  betoken: 'mean',
  keeper: 'store',
}

const files = [
  ...['src', 'test', 'tools', 'docs'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  ),
  ...readdirSync('.'),
].filter((file) => /\.([cm]?[jt]sx?|css|md)$/.test(file) && file !== 'test/words.test.ts')

/** The words of a text in lower case; `aName`, `a-name` and `A_NAME` are two each. */
const wordsOf = (text: string): string[] =>
  (text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase())

/** As `file:line: word -> replacement`; line 0 is the name of the file. */
function metaphors(file: string, text: string): string[] {
  return [file, ...text.split('\n')].flatMap((line, at) =>
    wordsOf(line)
      .map((word) => (Object.hasOwn(METAPHORS, word) ? word : word.replace(/s$/, '')))
      .filter((word) => Object.hasOwn(METAPHORS, word))
      .map((word) => `${file}:${at}: ${word} -> ${METAPHORS[word]}`),
  )
}

test('no name, comment, message or document has a metaphor for a part of the program', () => {
  expect(files.flatMap((file) => metaphors(file, readFileSync(file, 'utf8')))).toEqual([])
})

test.each([
  ['src/a.ts', 'the house', 'src/a.ts:1: house -> context'],
  ['src/a.ts', 'x\nconst openHouses = 1', 'src/a.ts:2: house -> context'],
  ['src/a.ts', 'OPEN_HOUSE', 'src/a.ts:1: house -> context'],
  ['src/open-house.ts', '', 'src/open-house.ts:0: house -> context'],
])('in %s, %j is found', (file, text, finding) => {
  expect(metaphors(file, text)).toEqual([finding])
})

test('a longer word is not found', () => {
  expect(metaphors('src/a.ts', 'household, outdoor')).toEqual([])
})
