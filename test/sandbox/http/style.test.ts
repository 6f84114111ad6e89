import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SETTINGS_STYLE } from '../../../src/sandbox/http/settings-style.ts'
import { STYLE } from '../../../src/sandbox/http/style.ts'
import { open } from '../../kit/sandbox.ts'

const luminance = (hex: string) => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
const contrast = (one: string, other: string) => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}
const [light = '', dark = ''] = [...STYLE.matchAll(/:root \{([^}]*)\}/g)].map(([, inside]) => inside)
const values = (theme: string): Record<string, string> =>
  Object.fromEntries([...theme.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name, value]) => [name, value]))
const colours = (theme: string) =>
  Object.fromEntries([...theme.matchAll(/--([\w-]+): (#\w+)/g)].map(([, name, hex]) => [name, hex]))

test('the style is served as one stylesheet that loads nothing', async () => {
  const answer = await open().send('/style.css')
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'text/css; charset=utf-8'])
  expect(await answer.text()).toBe(STYLE)
  expect(STYLE).not.toMatch(/url\(|@import/)
})

test('colours, corners and small text are those of the app', () => {
  const [, root = ''] = /:root \{([^}]*)\}/.exec(readFileSync('src/web/app/tokens.css', 'utf8')) ?? []
  const app = values(root)
  for (const [at, theme] of [light, dark].entries()) {
    const own = values(theme)
    const shared = Object.keys(own).filter((name) => Object.hasOwn(app, name))
    expect(shared.length).toBeGreaterThan(12)
    for (const name of shared) {
      const [, ...themes] = /^light-dark\((.+), (.+)\)$/.exec(app[name] ?? '') ?? []
      expect([name, own[name]]).toEqual([name, themes[at] ?? app[name]])
    }
  }
})

test.each([
  ['light', light],
  ['dark', dark],
])('the border of a field has a contrast of 3 to 1 in %s (WCAG 1.4.11)', (_, theme) => {
  const { field, card, accent, wash } = colours(theme)
  expect(contrast(field, card)).toBeGreaterThanOrEqual(3)
  expect(contrast(accent, wash)).toBeGreaterThanOrEqual(3)
})

test.each([
  ['light', light],
  ['dark', dark],
])('every text has a contrast of 4.5 to 1 in %s (WCAG 1.4.3)', (_, theme) => {
  const { ink, muted, paper, card, accent, wash, notice, none, low, ...rest } = colours(theme)
  for (const [text, ground] of [
    [ink, paper],
    [ink, card],
    [ink, wash],
    [muted, paper],
    [muted, card],
    [accent, paper],
    [accent, card],
    [none, card],
    [low, card],
  ])
    expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5)
  expect(contrast(rest['on-accent'], accent)).toBeGreaterThanOrEqual(4.5)
  expect(contrast('#ffffff', notice)).toBeGreaterThanOrEqual(4.5)
})

test('the style of the settings uses only the colours of both themes (WCAG 1.4.3)', () => {
  expect(STYLE).toContain(SETTINGS_STYLE)
  expect(SETTINGS_STYLE).not.toMatch(/#[0-9a-f]{3,8}\b|rgb\(/i)
  for (const [, name] of SETTINGS_STYLE.matchAll(/var\(--([\w-]+)\)/g))
    expect(STYLE.match(new RegExp(`--${name}: `, 'g'))).toHaveLength(2)
})
