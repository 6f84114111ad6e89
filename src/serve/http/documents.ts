/** Puts what the page draws into the built document, with its styles and links to the modules that follow. */
import { createHash } from 'node:crypto'
import { brotliCompressSync, constants } from 'node:zlib'
import { type Boot, BOOT_ID, type Drawn, type View } from '../../contract/boot.ts'
import type { Documents, StaticFile, StaticFiles } from '../../bff/pages/pages.ts'

/** The output of each source file. */
export type Manifest = Record<string, { file: string; imports?: string[]; css?: string[] }>

/** The build of src/web. */
export interface BuiltPage {
  files: StaticFiles
  manifest: Manifest
  /** A page of another build loads anew. */
  build: string
  draw: (view: View) => Drawn
}

/** The manifest's keys of chunks that vite.config.ts names. */
const chunksOf = (manifest: Manifest, ...names: string[]): string[] =>
  names.flatMap((name) =>
    Object.keys(manifest).filter((key) => key.startsWith(`_${name}-`) && key.endsWith('.js')),
  )
const dictionary = (language: string, part: string) => `src/web/text/${language}/${part}.ts`

/** The modules, and all their static imports. */
function reach(manifest: Manifest, keys: readonly string[], seen = new Set<string>()): Set<string> {
  for (const key of keys) if (!seen.has(key)) reach(manifest, manifest[key]?.imports ?? [], seen.add(key))
  return seen
}

/** Documents for everybody are few, unless somebody asks in a hundred languages: then each is made again. */
const MOST_KEPT = 100

export function createDocuments(built: BuiltPage): Documents {
  const kept = new Map<string, StaticFile>()
  const make = (view: View): StaticFile => compressed(documentOf(built, built.draw(view), view.kind))
  const styles = [false, true].map((isSignedIn) => hashSource(styleOf(built, isSignedIn)))
  return {
    get(view) {
      if (view.nowMs !== undefined) return make(view)
      const name = JSON.stringify(view)
      const found = kept.get(name) ?? make(view)
      if (kept.size >= MOST_KEPT) kept.clear()
      kept.set(name, found)
      return found
    },
    styles: [hashSource(WITHOUT_SCRIPT), ...styles],
    build: built.build,
  }
}

function sheetsOf({ manifest }: BuiltPage, isSignedIn: boolean): string[] {
  const chunks = chunksOf(manifest, 'first', ...(isSignedIn ? ['signed-in'] : []))
  return [...reach(manifest, chunks)].flatMap((key) => manifest[key]?.css ?? []).map((file) => `/${file}`)
}

const textOf = ({ files }: BuiltPage, path: string): string => new TextDecoder().decode(files.get(path)?.body)

const styleOf = (built: BuiltPage, isSignedIn: boolean): string =>
  sheetsOf(built, isSignedIn)
    .map((path) => textOf(built, path))
    .join('')

function documentOf(built: BuiltPage, drawn: Drawn, kind: View['kind']): string {
  const { root, failure, boot, title, noScript } = drawn
  const isSignedIn = kind === 'page' || kind === 'person'
  const { language, theme } = boot
  const sheets = sheetsOf(built, isSignedIn)
  const head = [
    WHOLE_FIRST,
    `<style>${styleOf(built, isSignedIn)}</style>`,
    `<noscript><style>${WITHOUT_SCRIPT}</style></noscript>`,
    ...preloads(built.manifest, language, isSignedIn),
  ]
  return fill(textOf(built, '/index.html'), [
    [/lang="en"/, `lang="${language}"${theme ? ` data-theme="${theme}"` : ''}`],
    [/(?<=<title>).*(?=<\/title>)/, title],
    [/<link rel="stylesheet"[^>]*>/, head.join('\n    ')],
    [/(?<=<body>\s*<noscript>).*?(?=<\/noscript>)/s, noScript],
    [/(?<=<div id="root"[^>]*>).*(?=<\/div>\s*<\/body>)/s, root],
    [/(?=<\/body>)/, failureOf(failure) + blockOf({ ...boot, build: built.build, sheets }) + END],
    ...(theme ? barsOf(theme) : []),
  ])
}

/** The modules that follow for certain, and that the document does not name already. */
function preloads(manifest: Manifest, language: string, isSignedIn: boolean): string[] {
  const named = reach(manifest, chunksOf(manifest, 'first'))
  const late = isSignedIn ? [dictionary(language, 'home'), ...chunksOf(manifest, 'signed-in')] : []
  return [...reach(manifest, [dictionary(language, 'first'), ...late])]
    .filter((key) => !named.has(key))
    .map((key) => `<link rel="modulepreload" crossorigin href="/${manifest[key]?.file}">`)
}

/** The first template of a document: public/early.js shows it. */
const failureOf = (html: string): string => `<template>${html}</template>`

/** In JSON `<` occurs only in texts: escaped, it ends no element and begins no comment in it. */
function blockOf(boot: Boot): string {
  const json = JSON.stringify(boot).replaceAll('<', '\\u003c')
  return `<script type="application/json" id="${BOOT_ID}">${json}</script>`
}

/** The colour of the browser's bars follows a chosen theme, and not the system's. */
const barsOf = (theme: string): [RegExp, string][] =>
  ['light', 'dark'].map((of) => [
    new RegExp(`(?<=<meta name="theme-color"[^>]*)media="[^"]*"(?= data-theme="${of}")`),
    `media="${of === theme ? 'all' : 'not all'}"`,
  ])

const hashSource = (style: string): string =>
  `'sha256-${createHash('sha256').update(style).digest('base64')}'`

/** Without scripts the page would look alive and do nothing: a card is in its place. */
const WITHOUT_SCRIPT = '#root{display:none}'
/** Paints once the document is parsed: centred content would move otherwise (HTML, link type `expect`). */
const WHOLE_FIRST = '<link rel="expect" href="#end" blocking="render">'
const END = '<template id="end"></template>'

/** Replaces with functions, since `$` has a meaning in a replacement text. */
const fill = (index: string, parts: readonly [RegExp, string][]): string =>
  parts.reduce((html, [place, text]) => html.replace(place, () => text), index)

const contentType = 'text/html; charset=utf-8'
/** The best quality takes ten times as long. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** Compresses at the first request of a browser that reads Brotli, which all do at https. */
function compressed(html: string): StaticFile {
  const body = new TextEncoder().encode(html)
  let br: StaticFile['body'] | undefined
  const encoded = {
    get br() {
      return (br ??= new Uint8Array(brotliCompressSync(body, QUALITY)))
    },
  }
  return { body, encoded, contentType }
}
