import { readFileSync } from 'node:fs'
import { runInThisContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { applyTheme } from '../../../src/web/preferences/preferences.ts'
import { storedTheme, storePreference } from '../../../src/web/preferences/storage.ts'

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

test('a theme is stored under the name that the start script reads', () => {
  storePreference('theme', 'dark')
  expect(localStorage.getItem('plimsoll.theme')).toBe('dark')
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
    ['a sign-out goes on', () => localStorage.setItem('plimsoll.sign-out', '1'), 'later'],
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

  test('during a sign-out it sends nothing', () => {
    localStorage.setItem('plimsoll.sign-out', '1')
    run({ page: 'page' })
    expect(asked).toEqual([])
  })

  test('if the page is drawn already it hides nothing, and sends nothing', () => {
    localStorage.setItem('plimsoll.language', 'ja')
    run({ page: 'sign-in', shown: 'now' })
    expect([root.dataset['shown'], ...asked]).toEqual(['now'])
  })
})
