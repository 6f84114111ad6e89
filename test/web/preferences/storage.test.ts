import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readFileSync } from 'node:fs'
import { runInThisContext } from 'node:vm'
import {
  chosenLanguage,
  isPreferenceKey,
  notePreferences,
  storedLanguage,
  storedPreference,
  storedTheme,
  storePreference,
} from '../../../src/web/preferences/storage.ts'
import { applyTheme } from '../../../src/web/preferences/preferences.ts'

const isDark = (value: string): value is 'dark' => value === 'dark'

test('a preference is stored until it is removed, and an unknown value counts as absent', () => {
  expect(storedPreference('theme', isDark)).toBeUndefined()
  storePreference('theme', 'dark')
  expect([storedPreference('theme', isDark), localStorage.getItem('plimsoll.theme')]).toEqual([
    'dark',
    'dark',
  ])
  storePreference('theme', 'sepia')
  expect(storedPreference('theme', isDark)).toBeUndefined()
  storePreference('theme', undefined)
  expect(localStorage).toHaveLength(0)
})

test.each([
  ['plimsoll.theme', true],
  ['plimsoll.language', true],
  ['plimsoll.sign-out', false],
  [null, false],
])('the key %s belongs to a preference: %s', (key, expected) => {
  expect(isPreferenceKey(key)).toBe(expected)
})

test.each([
  ['http://localhost:3000', 'plimsoll-http-3000-choices', ''],
  ['https://plimsoll.example.com', '__Host-plimsoll-choices', 'Secure; '],
  ['http://[::1]:3000', '__Host-plimsoll-choices', 'Secure; '],
])(
  'at %s the cookie %s tells the server that a preference is stored (RFC 6265bis 4.1.3.2)',
  (origin, name, secure) => {
    vi.stubGlobal('location', { origin })
    const set = vi
      .spyOn(document, 'cookie', 'set')
      .mockClear()
      .mockImplementation(() => {})
    const get = vi.spyOn(document, 'cookie', 'get').mockReturnValue('')
    notePreferences()
    expect(set).not.toHaveBeenCalled()
    storePreference('theme', 'dark')
    expect(set).toHaveBeenLastCalledWith(`${name}=1; Path=/; ${secure}SameSite=Lax; Max-Age=31536000`)
    get.mockReturnValue(`other=1; ${name}=1`)
    storePreference('theme', undefined)
    expect(set).toHaveBeenLastCalledWith(`${name}=1; Path=/; ${secure}SameSite=Lax; Max-Age=0`)
  },
)

const prefer = (...tags: string[]) => vi.spyOn(navigator, 'languages', 'get').mockReturnValue(tags)

test.each([
  [['ja'], 'ja'],
  [['ja-JP', 'en'], 'ja'],
  [['fr', 'en-GB', 'ja'], 'en'],
  [['EN-us'], 'en'],
  [['fr', 'de-AT'], 'en'],
  [['constructor'], 'en'],
  [[], 'en'],
])('a browser that prefers %j gets %s', (tags, language) => {
  prefer(...tags)
  expect(chosenLanguage()).toBe(language)
})

test('a person’s choice comes before the browser’s languages, until it is removed', () => {
  prefer('en')
  storePreference('language', 'ja')
  expect([chosenLanguage(), storedLanguage()]).toEqual(['ja', 'ja'])
  storePreference('language', undefined)
  expect([chosenLanguage(), storedLanguage()]).toEqual(['en', undefined])
  localStorage.setItem('plimsoll.language', 'tlh')
  expect([chosenLanguage(), storedLanguage()]).toEqual(['en', undefined])
})

test('without a storage the browser decides the language, and a choice is no error', () => {
  prefer('ja')
  const refused = () => {
    throw new DOMException('refused', 'SecurityError')
  }
  vi.stubGlobal('localStorage', { getItem: refused, setItem: refused, removeItem: refused })
  storePreference('language', 'en')
  storePreference('language', undefined)
  expect(chosenLanguage()).toBe('ja')
  storePreference('theme', 'dark')
  expect(storedPreference('theme', isDark)).toBeUndefined()
})

const INDEX = readFileSync('index.html', 'utf8')
const root = document.documentElement

beforeEach(() => {
  document.head.innerHTML = INDEX.match(/<meta name="theme-color"[^>]*>/g)?.join('') ?? ''
})
afterEach(() => {
  document.head.innerHTML = ''
  applyTheme(undefined)
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

const SCRIPT = /<script vite-ignore src="\/(src\/web\/app\/start\.js)"><\/script>/.exec(INDEX)
const script = readFileSync(SCRIPT?.[1] ?? '', 'utf8')

test('the start script comes before every other script and every style', () => {
  expect(INDEX.indexOf(SCRIPT?.[0] ?? '-')).toBe(INDEX.search(/<script|<link[^>]*stylesheet/))
})

test.each([
  ['dark', 'dark'],
  ['light', 'light'],
  ['sepia', undefined],
  [undefined, undefined],
])('the start script sets a stored %s as %s', (stored, expected) => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
  if (stored !== undefined) localStorage.setItem('plimsoll.theme', stored)
  runInThisContext(script)
  expect(root.dataset['theme']).toBe(expected)
  expect(storedTheme()).toBe(expected)
})

describe('the requests of the start script, and the pages that it hides', () => {
  const asked: string[] = []
  const run = (attributes: Record<string, string> = {}): void => {
    for (const [name, value] of Object.entries(attributes)) root.dataset[name] = value
    asked.length = 0
    vi.stubGlobal('fetch', (path: string) => {
      asked.push(path)
      return Promise.reject(new TypeError('no network'))
    })
    runInThisContext(script)
  }
  beforeEach(() => history.replaceState(null, '', '/'))
  afterEach(() => {
    for (const name of ['page', 'shown']) delete root.dataset[name]
    root.lang = 'en'
    globalThis.plimsollEarly = undefined
    history.replaceState(null, '', '/')
  })

  test.each([
    ['sign-in', '/', ['/bff/session']],
    ['page', '/', ['/bff/session', '/bff/quota']],
    ['side', '/ledger', ['/bff/session']],
    ['waiting', '/callback', []],
  ])('the document of kind %s at %s asks for %j', (page, path, paths) => {
    history.replaceState(null, '', path)
    run({ page })
    expect(asked).toEqual(paths)
    expect([...(globalThis.plimsollEarly?.keys() ?? [])]).toEqual(paths)
    expect(root.dataset['shown']).toBeUndefined()
  })

  test.each([
    ['another language is chosen', () => localStorage.setItem('plimsoll.language', 'ja'), 'later'],
    ['the same language is chosen', () => localStorage.setItem('plimsoll.language', 'en'), undefined],
    ['there are last organizations', () => localStorage.setItem('plimsoll.organizations', '[]'), 'later'],
    ['a sign-in has failed', () => history.replaceState({}, '', '/'), 'later'],
  ])('if %s, the sign-in page from the server is shown %s', (_, begin, shown) => {
    root.lang = 'en'
    begin()
    run({ page: 'sign-in' })
    expect(root.dataset['shown']).toBe(shown)
  })

  test('the page of an organization is shown whatever organizations the browser remembers', () => {
    root.lang = 'en'
    localStorage.setItem('plimsoll.organizations', '[]')
    run({ page: 'page' })
    expect(root.dataset['shown']).toBeUndefined()
  })

  test('a press before the page is drawn waits for it, and one that opens a menu does not', () => {
    const pressed = document.createElement('div')
    pressed.id = 'root'
    pressed.innerHTML = '<button></button><button popovertarget="menu"></button>'
    document.body.append(pressed)
    run({ page: 'page' })
    const press = (button: Element) =>
      button.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
    expect([...pressed.children].map(press)).toEqual([false, true])
    expect(globalThis.plimsollPressed).toBe(pressed.firstChild)
    globalThis.plimsollPressed = undefined
    pressed.remove()
  })

  test('if the page is drawn already it sends nothing', () => {
    localStorage.setItem('plimsoll.language', 'ja')
    run({ page: 'sign-in', shown: 'now' })
    expect([root.dataset['shown'], ...asked]).toEqual(['now'])
  })
})
