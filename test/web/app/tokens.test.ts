import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
// @ts-expect-error -- it runs before anything is compiled, as JavaScript
import { staleCopies } from '../../../tools/build/colours.mjs'

/** Relative luminance (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The least contrast of each of these colours on each of these grounds. */
const PAIRS: readonly (readonly [least: number, colours: string, grounds: string])[] = [
  [4.5, 'ink muted', 'card paper wash'],
  [4.5, 'accent low none', 'card'],
  [3, 'accent low none', 'paper wash'],
  [3, 'field', 'card paper wash track'],
  [3, 'ink hatch accent low none muted', 'track card'],
]

test.each([1, 2])('words have 4.5:1, and marks 3:1, in theme %i (WCAG 1.4.3, WCAG 1.4.11, D6)', (theme) => {
  const all = readFileSync('src/web/app/tokens.css', 'utf8').matchAll(
    /--([\w-]+): light-dark\((#[\da-f]{6}), (#[\da-f]{6})\);/g,
  )
  const of = Object.fromEntries(Array.from(all, (found) => [found[1], luminance(found[theme + 1] ?? '')]))
  const faults = PAIRS.flatMap(([least, colours, grounds]) =>
    colours.split(' ').flatMap((colour) => grounds.split(' ').map((ground) => ({ least, colour, ground }))),
  ).filter(({ least, colour, ground }) => {
    const [low = NaN, high = NaN] = [of[colour], of[ground]].toSorted((a, b) => (a ?? NaN) - (b ?? NaN))
    return !((high + 0.05) / (low + 0.05) >= least)
  })
  expect(faults).toEqual([])
})

test('the files that cannot import the colours have them, and a change reaches each: npm run fix', () => {
  expect(staleCopies()).toEqual([])
  const black = { light: '#000001', dark: '#000002' }
  const changed: [string, string][] = staleCopies({ paper: black, accent: black, low: black })
  expect(changed.map(([file]) => file)).toEqual([
    'index.html',
    'public/favicon.svg',
    'public/favicon-low.svg',
    'public/favicon-none.svg',
    'src/sandbox/http/page.tsx',
    'src/sandbox/http/style.css',
  ])
  for (const [, text] of changed) expect(text).toMatch(/#00000[12]/)
})
