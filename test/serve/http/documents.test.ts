import { createHash } from 'node:crypto'
import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Boot, DocumentKind, View } from '../../../src/contract/boot.ts'
import { type BuiltPage, createDocuments, type Manifest } from '../../../src/serve/http/documents.ts'

const INDEX = `<!doctype html>
<html lang="en">
  <head>
    <meta name="theme-color" content="#fff" media="(prefers-color-scheme: light)" data-theme="light" />
    <meta name="theme-color" content="#000" media="(prefers-color-scheme: dark)" data-theme="dark" />
    <title>Plimsoll</title>
    <script defer src="/early.js"></script>
    <script type="module" crossorigin src="/assets/index.js"></script>
    <link rel="modulepreload" crossorigin href="/assets/react.js">
    <link rel="stylesheet" crossorigin href="/assets/index.css">
  </head>
  <body>
    <noscript>Needs JavaScript.</noscript>
    <div id="root">
      <main><div>waiting</div></main>
    </div>
  </body>
</html>
`
const MANIFEST: Manifest = {
  '_first-DwTyE0rc.js': { file: 'assets/index.js', imports: ['_react.js'], css: ['assets/index.css'] },
  '_first-8wTyE0rc.css': { file: 'assets/index.css' },
  '_react.js': { file: 'assets/react.js' },
  '_signed-in-OdEzKLRd.css': { file: 'assets/signed-in.css' },
  '_signed-in-D23x3Uly.js': {
    file: 'assets/signed-in.js',
    imports: ['_react.js', '_query.js', '_first-DwTyE0rc.js'],
    css: ['assets/signed-in.css'],
  },
  '_query.js': { file: 'assets/query.js', imports: ['_react.js'] },
  'src/web/text/en/first.ts': { file: 'assets/first-en.js' },
  'src/web/text/ja/first.ts': { file: 'assets/first-ja.js' },
  'src/web/text/en/home.ts': { file: 'assets/home-en.js' },
  'src/web/text/ja/home.ts': { file: 'assets/home-ja.js' },
}
const css = (name: string) => `.${name}{color:red}`
const FAILURE = '<p>Not $& loaded</p>'
const LOCALE = 'It is </script> over'
let draws = 0
const BUILT: BuiltPage = {
  files: new Map(
    [['/index.html', INDEX], ...['index', 'signed-in'].map((name) => [`/assets/${name}.css`, css(name)])].map(
      ([path = '', text]) => [path, { body: new TextEncoder().encode(text), contentType: '' }],
    ),
  ),
  manifest: MANIFEST,
  build: '20261128T0041-3f9a01c2',
  draw({ kind, path, languages: [language = 'en'], choices: { theme }, nowMs }) {
    draws += 1
    const boot: Boot = { language, locale: LOCALE, theme, isDrawn: true, nowMs }
    const root = `<p>${language} ${kind} ${path} $& $1</p>`
    return {
      root,
      failure: FAILURE,
      boot,
      title: `Title ${language}`,
      noScript: `<main>${language} none</main>`,
    }
  },
}

const documents = createDocuments(BUILT)
const fileOf = (kind: DocumentKind, view: Partial<View> = {}) =>
  documents.get({ kind, path: '/', languages: ['ja'], choices: {}, ...view })
const html = (...of: Parameters<typeof fileOf>) => new TextDecoder().decode(fileOf(...of).body)
const linked = (text: string) =>
  [...text.matchAll(/<link rel="([^"]+)".*?href="\/assets\/([^"]+)"/g)].map(
    ([, how, file]) => `${how} ${file}`,
  )
const BLOCK = /<script type="application\/json" id="boot">(.*?)<\/script>/
const bootOf = (text: string) => JSON.parse(BLOCK.exec(text)?.[1] ?? '') as Boot
const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const KINDS = ['sign-in', 'page', 'person', 'frame'] as const

test('a document has its language, its title, and in its root what is drawn', () => {
  const text = html('sign-in')
  expect(text).toContain('<html lang="ja">')
  expect(text).toContain('<title>Title ja</title>')
  expect(text).toMatch(/<div id="root"><p>ja sign-in \/ \$& \$1<\/p><\/div>/)
})

test('what it was drawn from is in it as data, which no browser runs and no text ends (HTML)', () => {
  const text = html('page', { nowMs: 7 })
  expect(BLOCK.exec(text)?.[1]).not.toContain('<')
  expect(bootOf(text)).toEqual({
    language: 'ja',
    sheets: ['/assets/index.css', '/assets/signed-in.css'],
    locale: LOCALE,
    isDrawn: true,
    nowMs: 7,
    build: BUILT.build,
  })
})

test.each([
  ['dark', ' data-theme="dark"', ['not all', 'all']],
  ['light', ' data-theme="light"', ['all', 'not all']],
  [undefined, '', ['(prefers-color-scheme: light)', '(prefers-color-scheme: dark)']],
] as const)(
  'the theme %s is there before any script, for the browser’s bars too',
  (theme, attribute, media) => {
    const text = html('sign-in', { choices: { theme } })
    expect(text).toContain(`<html lang="ja"${attribute}>`)
    expect([...text.matchAll(/<meta name="theme-color".*media="([^"]*)"/g)].map(([, of]) => of)).toEqual(
      media,
    )
  },
)

test('the first paint waits for the whole document, so that nothing moves while it comes (D8)', () => {
  for (const kind of KINDS)
    expect(html(kind)).toMatch(/<link rel="expect" href="#end" blocking="render">.*<template id="end">/s)
})

test('its styles are in it, the policy has the hash of them, and no module loads them again (CSP 3 2.3.1)', () => {
  const first = css('index')
  const all = ['index', 'signed-in'].map(css).join('')
  expect(html('sign-in')).toContain(`<style>${first}</style>`)
  expect(html('page')).toContain(`<style>${all}</style>`)
  expect(html('sign-in')).not.toContain('rel="stylesheet"')
  expect(bootOf(html('sign-in')).sheets).toEqual(['/assets/index.css'])
  expect(bootOf(html('page')).sheets).toEqual(['/assets/index.css', '/assets/signed-in.css'])
  expect(documents.styles).toEqual([hash('#root{display:none}'), hash(first), hash(all)])
})

test('it leads to what is certain to follow, and before a sign-in to nothing of signed-in pages', () => {
  const first = ['modulepreload react.js', 'modulepreload first-ja.js']
  const modules = (kind: DocumentKind) => linked(html(kind)).filter((link) => link.startsWith('module'))
  for (const kind of ['sign-in', 'frame'] as const) expect(modules(kind)).toEqual(first)
  for (const kind of ['page', 'person'] as const)
    expect(modules(kind)).toEqual([
      ...first,
      'modulepreload home-ja.js',
      'modulepreload signed-in.js',
      'modulepreload query.js',
    ])
})

test('without scripts each document that needs them is hidden, and a card is outside of its root', () => {
  for (const kind of KINDS)
    expect(html(kind)).toMatch(
      /<noscript><style>#root\{display:none\}<\/style><\/noscript>.*<body>\s*<noscript><main>ja none<\/main><\/noscript>\s*<div id="root"/s,
    )
})

test('a document for everybody is made once for each view, and one of a moment each time', () => {
  const same = () => fileOf('sign-in', { path: '/organizations/1001' })
  const [kept, before] = [same(), draws]
  expect([same() === kept, draws - before]).toEqual([true, 0])
  const ofMoment = () => fileOf('page', { nowMs: 1 })
  expect([ofMoment() === ofMoment(), draws - before]).toEqual([false, 2])
  const text = new TextDecoder().decode(kept.body)
  expect(String(brotliDecompressSync(kept.encoded?.br ?? ''))).toBe(text)
})
