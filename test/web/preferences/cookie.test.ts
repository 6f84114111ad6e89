import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  storeChoices,
  storedChoices,
  applyTheme,
  preferences,
  startPreferences,
} from '../../../src/web/preferences/preferences.ts'
import { runEarly } from '../_early.ts'
import { languageOfChoice } from '../../../src/web/text/languages.ts'

const INDEX = readFileSync('index.html', 'utf8')
const root = document.documentElement

beforeEach(() => {
  document.head.innerHTML = INDEX.match(/<meta name="theme-color"[^>]*>/g)?.join('') ?? ''
})
afterEach(() => {
  document.head.innerHTML = ''
  applyTheme(undefined)
})

test.each([
  ['http://localhost:3000', 'plimsoll-http-3000-choices', ''],
  ['https://plimsoll.example.com', '__Host-plimsoll-choices', 'Secure; '],
  ['http://[::1]:3000', '__Host-plimsoll-choices', 'Secure; '],
])(
  'at %s choices are in the cookie %s, and one changes no other (RFC 6265bis 4.1.3.2)',
  (origin, name, secure) => {
    vi.stubGlobal('location', { origin })
    const set = vi.spyOn(document, 'cookie', 'set').mockImplementation(() => {})
    vi.spyOn(document, 'cookie', 'get').mockReturnValue(`x${name}=v1.en; ${name}=v1.ja.-.Asia%2FTokyo.own`)
    expect(storedChoices()).toEqual({ language: 'ja', zone: 'Asia/Tokyo', isOwn: true })
    storeChoices({ theme: 'dark', isOwn: false })
    expect(set).toHaveBeenLastCalledWith(
      `${name}=v1.ja.dark.Asia%2FTokyo.-; Path=/; ${secure}SameSite=Lax; Max-Age=31536000`,
    )
    set.mockRestore()
  },
)

test('without cookies a choice is no error, and a language that the page lacks is none', () => {
  vi.spyOn(document, 'cookie', 'get').mockReturnValue('')
  storeChoices({ theme: 'dark' })
  expect(storedChoices()).toEqual({})
  startPreferences({ language: 'tl', theme: 'light' })
  expect(preferences.getState()).toEqual({ language: undefined, theme: 'light' })
  preferences.setState({}, true)
})

test.each([
  [['ja'], 'ja'],
  [['ja-JP', 'en'], 'ja'],
  [['fr', 'en-GB', 'ja'], 'en'],
  [['EN-us'], 'en'],
  [['fr', 'de-AT'], 'en'],
  [['constructor'], 'en'],
  [[], 'en'],
])('a browser that prefers %j gets %s, unless a person has chosen (RFC 9110 12.5.4)', (tags, language) => {
  expect(languageOfChoice(undefined, tags)).toBe(language)
  expect(languageOfChoice('tl', tags)).toBe(language)
  expect(languageOfChoice('ja', tags)).toBe('ja')
})

/** The media of the two colours of the browser's bars: light, dark. */
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

test('a press before the page is there waits for it, and one that opens a menu does not (D3)', () => {
  expect(INDEX).toContain('<script defer vite-ignore src="/early.js"></script>')
  document.body.innerHTML =
    '<div id="root"><button></button><button></button><a href="#x"></a></div><button></button>'
  const [early, menu, link, outside] = document.querySelectorAll<HTMLElement>('button, a')
  Object.assign(menu ?? {}, { popoverTargetElement: document.body })
  runEarly()
  const isLeft = (element?: HTMLElement) =>
    element?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
  expect([early, menu, link, outside].map(isLeft)).toEqual([false, true, true, true])
  expect(globalThis.plimsollPressed).toBe(early)
  globalThis.plimsollPressed = undefined
  root.dataset['ready'] = ''
  expect([isLeft(early), globalThis.plimsollPressed]).toEqual([true, undefined])
  delete root.dataset['ready']
  document.body.replaceChildren()
})
