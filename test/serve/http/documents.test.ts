import { createHash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { DocumentKind, PageData } from '../../../src/bff/pages/pages.ts'
import type { SignedOut } from '../../../src/contract/session.ts'
import { type BuiltPage, createDocuments, type Manifest } from '../../../src/serve/http/documents.ts'

const SESSION: SignedOut = {
  signed_in: false,
  authorize: {
    authorization_endpoint: 'https://s.example/a',
    client_id: 'c',
    redirect_uri: 'https://p.example/callback',
  },
}
const INDEX = `<!doctype html>
<html lang="en">
  <head>
    <title>Plimsoll</title>
    <script src="/assets/start-1.js"></script>
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
  'src/web/text/en/first.ts': { file: 'assets/shared-en.js' },
  'src/web/text/ja/first.ts': { file: 'assets/shared-ja.js' },
  'src/web/text/en/home.ts': { file: 'assets/signed-in-en.js' },
  'src/web/text/ja/home.ts': { file: 'assets/signed-in-ja.js' },
}
const css = (name: string) => `.${name}{color:red}`
const BUILT: BuiltPage = {
  files: new Map(
    [['/index.html', INDEX], ...['index', 'signed-in'].map((name) => [`/assets/${name}.css`, css(name)])].map(
      ([path = '', text]) => [path, { body: new TextEncoder().encode(text), contentType: '' }],
    ),
  ),
  manifest: MANIFEST,
  prerender: async () => ({ en: pagesIn('en'), ja: pagesIn('ja') }),
  drawPage: (language, { quota }) => ({
    root: `<p>${language} $& ${quota.version}</p>`,
    sheet: '[data-style="0"]{width:3%}',
  }),
}
const pagesIn = (language: string) => {
  const root = (kind: string) => `<p>${language} ${kind} $& $1</p>`
  const pages = {
    waiting: root('waiting'),
    'sign-in': root('sign-in'),
    page: root('page'),
    side: root('side'),
    posted: root('posted'),
  }
  const signIn = { yes: root('sign-in that counts'), no: root('sign-in that does not') }
  return { pages, signIn, title: `Sign in ${language}`, noScript: `<main>${language} none</main>` }
}

const documents = await createDocuments(BUILT, SESSION)
const html = (language: string, kind: DocumentKind, isChosen = false) =>
  new TextDecoder().decode(documents.get(language, kind, isChosen)?.body)
const linked = (text: string) =>
  [...text.matchAll(/<link rel="([^"]+)".*?href="\/assets\/([^"]+)"/g)].map(
    ([, how, file]) => `${how} ${file}`,
  )
const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

test('a document has its language, its kind, its title, and in its root what is drawn first', () => {
  const text = html('ja', 'sign-in')
  expect(text).toContain('<html lang="ja" data-page="sign-in" data-sheets="/assets/index.css">')
  expect(text).toContain('<title>Sign in ja · Plimsoll</title>')
  expect(text).toMatch(
    /<div id="root"><p>ja sign-in \$& \$1<\/p><\/div>\s*<template id="end"><\/template><\/body>/,
  )
  expect(html('en', 'waiting')).toContain('<title>Plimsoll</title>')
  expect(documents.get('fr', 'sign-in', false)).toBeUndefined()
})

test('the sign-in page is there for each price, and no other document has one (8.3)', () => {
  const drawn = (kind: DocumentKind, counts?: 'yes' | 'no' | 'unknown') =>
    new TextDecoder().decode(documents.get('en', kind, false, counts)?.body)
  expect(drawn('sign-in', 'yes')).toContain('<p>en sign-in that counts $& $1</p>')
  expect(drawn('sign-in', 'no')).toContain('<p>en sign-in that does not $& $1</p>')
  expect(drawn('sign-in', 'unknown')).toBe(drawn('sign-in'))
  expect(drawn('waiting', 'yes')).toBe(drawn('waiting'))
})

test('the first paint waits for the whole document, so that nothing moves while it comes (D8)', () => {
  for (const kind of ['waiting', 'sign-in', 'page', 'side', 'posted'] as const)
    expect(html('en', kind)).toMatch(
      /<link rel="expect" href="#end" blocking="render">.*<template id="end">/s,
    )
})

test('the first paint waits for the start script only where a person has chosen', () => {
  const [script, module] = ['src="/assets/start-1.js"></script>', '<script type="module" crossorigin src']
  expect(html('en', 'sign-in', true)).toContain(`<script ${script}`)
  expect(html('en', 'sign-in', false)).toContain(`<script async fetchpriority="high" ${script}`)
  for (const isChosen of [true, false]) expect(html('en', 'sign-in', isChosen)).toContain(module)
})

test('its styles are in it, and the policy has the hash of them (CSP 3 2.3.1)', () => {
  const first = css('index')
  const all = ['index', 'signed-in'].map(css).join('')
  expect(html('en', 'sign-in')).toContain(`<style>${first}</style>`)
  expect(html('en', 'page')).toContain(`<style>${all}</style>`)
  expect(html('en', 'sign-in')).not.toContain('rel="stylesheet"')
  expect(html('en', 'page')).toContain(' data-sheets="/assets/index.css /assets/signed-in.css">')
  expect(documents.styles).toEqual([hash('#root{display:none}'), hash(first), hash(all)])
})

test('it leads to what is certain to follow, and before a sign-in to nothing of signed-in pages', () => {
  const first = ['modulepreload react.js', 'modulepreload shared-ja.js']
  expect(linked(html('ja', 'waiting'))).toEqual(first)
  expect(linked(html('ja', 'sign-in'))).toEqual(first)
  for (const kind of ['side', 'page'] as const)
    expect(linked(html('ja', kind))).toEqual([
      ...first,
      'modulepreload signed-in-ja.js',
      'modulepreload signed-in.js',
      'modulepreload query.js',
    ])
})

test('without scripts each document that needs them is hidden, and a card is outside of its root', () => {
  for (const kind of ['waiting', 'sign-in', 'page', 'side'] as const)
    expect(html('ja', kind)).toMatch(
      /<noscript><style>#root\{display:none\}<\/style><\/noscript>.*<body>\s*<noscript><main>ja none<\/main><\/noscript>\s*<div id="root"/s,
    )
  expect(html('ja', 'posted')).not.toContain('<noscript>')
})

test('the document of a callback by POST runs and loads nothing (RFC 9700 4.12)', () => {
  const text = html('ja', 'posted')
  expect(text).toContain('<p>ja posted')
  expect(text).not.toMatch(/<script|modulepreload|src=/)
})

test('the page of a person has known data in its root, and its own sheet beside the others (CSP 3 2.3.1)', () => {
  const known = { quota: { version: 7 } } as PageData
  const own = documents.getOwn?.('ja', false, known)
  const text = new TextDecoder().decode(own?.file.body)
  const sheet = '[data-style="0"]{width:3%}'
  expect(text.replace(' data-known', '').replace(`  <style>${sheet}</style>\n  `, '')).toBe(
    html('ja', 'page').replace('<p>ja page $& $1</p>', () => '<p>ja $& 7</p>'),
  )
  expect(text).toContain('<html lang="ja" data-known data-page="page"')
  expect(own?.styles).toEqual([hash(sheet)])
  expect(String(brotliDecompressSync(own?.file.encoded?.br ?? ''))).toBe(text)
  expect(String(gunzipSync(own?.file.encoded?.gzip ?? ''))).toBe(text)
  const chosen = new TextDecoder().decode(documents.getOwn?.('ja', true, known)?.file.body)
  expect(chosen).toContain('<script src="/assets/start-1.js">')
  expect(documents.getOwn?.('fr', false, known)).toBeUndefined()
})
