// The only place that says that every fact of the service's document and every check of an authorization server has a test.
// A test says which ones it proves at the end of its name: `(S83, 8.2)`, `(check 14, RFC 6749 4.1.2)`, `(S8, check 40, 2.1)`.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** All 105 ask something of the sandbox. */
const FACTS = Array.from({ length: 105 }, (_, at) => at + 1)
/** 64 and 65 are of endpoints that the document does not have; 66 is asked of the control plane. */
const CHECKS = Array.from({ length: 70 }, (_, at) => at + 1).filter(
  (number) => number !== 64 && number !== 65,
)

const files = ['test/sandbox', 'test/browser']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  .filter((file) => /\.test\.tsx?$/.test(file) && !file.endsWith('coverage.test.ts'))
  .map((file) => readFileSync(file, 'utf8'))
/** The methods of PKCE, which look like facts. */
const isMethod = (name: string) => name === 'S256' || name === 'S512'
/** The brackets at the end of a name; a row of a table that fills them in has the number alone: `'S76'`. S256 is a method of PKCE. */
const names = files.flatMap((text) =>
  [...text.matchAll(/((?:\([^()\n]*\)\s?)+)['"`]|'((?:S(?!256|512)|check )\d+)'/g)].map(
    ([, brackets, number = '']) => brackets ?? (isMethod(number) ? '' : number),
  ),
)

const proven = (kind: RegExp): Set<number> =>
  new Set(names.flatMap((name) => [...name.matchAll(kind)].map(([, number]) => Number(number))))

test('every fact S1 to S105 has a test that names it', () => {
  const known = proven(/\bS(\d+)\b/g)
  expect(FACTS.filter((number) => !known.has(number)).map((number) => `S${number}`)).toEqual([])
})

test('every check of an authorization server has a test that names it', () => {
  const known = proven(/\bcheck (\d+)\b/g)
  expect(CHECKS.filter((number) => !known.has(number)).map((number) => `check ${number}`)).toEqual([])
})

test('no test names a number that there is not', () => {
  const strangers = [
    ...[...proven(/\bS(\d+)\b/g)].filter((number) => !FACTS.includes(number)),
    ...[...proven(/\bcheck (\d+)\b/g)].filter((number) => number < 1 || number > 70),
  ]
  expect(strangers).toEqual([])
})
