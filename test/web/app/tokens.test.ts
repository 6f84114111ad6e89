import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
// @ts-expect-error -- it runs before anything is compiled, as JavaScript
import { staleCopies } from '../../../tools/build/colours.mjs'

const css = readFileSync('src/web/app/tokens.css', 'utf8')

function colours(theme: 'light' | 'dark'): Record<string, string> {
  const all = [...css.matchAll(/--([\w-]+): light-dark\((#[\da-f]{6}), (#[\da-f]{6})\);/g)]
  return Object.fromEntries(all.map(([, name, light, dark]) => [name, theme === 'light' ? light : dark]))
}

/** Relative luminance (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

test('the contrast of WCAG is 21 for black on white, and 1 for a colour on itself', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  expect(contrast('#0072b2', '#0072b2')).toBe(1)
})

const THEMES = ['light', 'dark'] as const
/** Colours and backgrounds. A bar's edge has a field's colour; the line around the mark has the card's. */
const MARKS: readonly (readonly [mark: string, on: readonly string[]])[] = [
  ['field', ['card', 'paper', 'wash', 'track']],
  ['ink', ['track', 'card']],
  ['hatch', ['track', 'card']],
  ['accent', ['track', 'card']],
  ['low', ['track', 'card', 'paper']],
  ['none', ['track', 'card']],
  ['muted', ['track', 'card']],
]

test.each(
  THEMES.flatMap((theme) =>
    MARKS.flatMap(([mark, on]) => on.map((ground) => [theme, mark, ground] as const)),
  ),
)('%s: a mark in --%s on --%s has 3:1 (WCAG 1.4.11, D6)', (theme, mark, ground) => {
  const of = colours(theme)
  expect(contrast(of[mark] ?? '', of[ground] ?? '')).toBeGreaterThanOrEqual(3)
})

test.each(
  THEMES.flatMap((theme) =>
    ['ink', 'muted', 'accent', 'low', 'none'].flatMap((name) =>
      ['card', 'paper', 'wash'].map((ground) => [theme, name, ground] as const),
    ),
  ),
)(
  '%s: words in --%s on --%s have 4.5:1, or 3:1 where they are marks too (WCAG 1.4.3)',
  (theme, name, ground) => {
    const of = colours(theme)
    const isText = ground === 'card' || name === 'ink' || name === 'muted'
    expect(contrast(of[name] ?? '', of[ground] ?? '')).toBeGreaterThanOrEqual(isText ? 4.5 : 3)
  },
)

/** Each variable that draws a part of a bar or of a ring is in the table. */
test('bars and rings are drawn in no other colour', () => {
  const known = ['fill', 'left', 'others', 'own', ...MARKS.flatMap(([mark, on]) => [mark, ...on])]
  const bars = ['minute/minute', 'month/bar']
    .map((name) => readFileSync(`src/web/${name}.module.css`, 'utf8'))
    .join('\n')
  const rules = [
    ...bars.matchAll(
      /\.(?:bar|track|left|flying|refilled|unmeasured|countdown|own|others|unknown)\b[^{}]*\{([^}]*)\}/g,
    ),
  ]
  const used = rules.flatMap(([, body = '']) => [...body.matchAll(/var\(--(\w+)\)/g)].map(([, name]) => name))
  expect(used.length).toBeGreaterThan(8)
  expect(used.filter((name) => !known.includes(name ?? ''))).toEqual([])
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
    'src/sandbox/http/style.ts',
  ])
  for (const [, text] of changed) expect(text).toMatch(/#00000[12]/)
})
