import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { runInThisContext } from 'node:vm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { applyTheme, storedTheme, storeTheme } from '../../src/web/theme.ts'

const INDEX = readFileSync('index.html', 'utf8')
const root = document.documentElement

beforeEach(() => {
  document.head.innerHTML = INDEX.match(/<meta name="theme-color"[^>]*>/g)?.join('') ?? ''
})
afterEach(() => {
  document.head.innerHTML = ''
  applyTheme(undefined)
})

/** Of the light and of the dark colour of the browser's bars. */
const media = () => [...document.querySelectorAll('meta')].map((meta) => meta.getAttribute('media'))
const BY_SYSTEM = ['(prefers-color-scheme: light)', '(prefers-color-scheme: dark)']

test('a chosen theme holds for the page and for the browser’s bars, until the system decides again', () => {
  expect(media()).toEqual(BY_SYSTEM)
  applyTheme('dark')
  expect([root.dataset['theme'], ...media()]).toEqual(['dark', 'not all', 'all'])
  applyTheme('light')
  expect([root.dataset['theme'], ...media()]).toEqual(['light', 'all', 'not all'])
  applyTheme(undefined)
  expect(root).not.toHaveAttribute('data-theme')
  expect(media()).toEqual(BY_SYSTEM)
})

const SCRIPT = /<script src="\/(assets\/theme-(\w+)\.js)"><\/script>/.exec(INDEX)
const [, file = '', hash = ''] = SCRIPT ?? []
const script = readFileSync(`public/${file}`, 'utf8')

test('the script that sets the theme before the first paint has its own hash in its name, since it is cached for a year', () => {
  expect(hash).toBe(createHash('sha256').update(script).digest('hex').slice(0, 8))
})

test('that script comes before every other one and before every style', () => {
  expect(INDEX.indexOf(SCRIPT?.[0] ?? '-')).toBe(INDEX.search(/<script|<link[^>]*stylesheet/))
})

test.each([
  ['dark', 'dark'],
  ['light', 'light'],
  ['sepia', undefined],
  [undefined, undefined],
])('that script sets a stored %s as %s', (stored, expected) => {
  if (stored !== undefined) localStorage.setItem('plimsoll.theme', stored)
  runInThisContext(script)
  expect(root.dataset['theme']).toBe(expected)
  expect(storedTheme()).toBe(expected)
})

test('a theme is stored under the name that the script reads', () => {
  storeTheme('dark')
  expect(localStorage.getItem('plimsoll.theme')).toBe('dark')
})
