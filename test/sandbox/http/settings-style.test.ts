import { expect, test } from 'vitest'
import { SETTINGS_STYLE } from '../../../src/sandbox/http/settings-style.ts'
import { STYLE } from '../../../src/sandbox/http/style.ts'

test('is part of the stylesheet, and loads nothing', () => {
  expect(STYLE).toContain(SETTINGS_STYLE)
  expect(SETTINGS_STYLE).not.toMatch(/url\(|@import/)
})

test('uses only the colours of both themes (WCAG 1.4.3)', () => {
  expect(SETTINGS_STYLE).not.toMatch(/#[0-9a-f]{3,8}\b|rgb\(/i)
  for (const [, name] of SETTINGS_STYLE.matchAll(/var\(--([\w-]+)\)/g))
    expect(STYLE.match(new RegExp(`--${name}: `, 'g'))).toHaveLength(2)
})
