/** Adds prerendered content, inline styles and links to the next modules to the built document. */
import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type {
  DocumentKind,
  Documents,
  PageData,
  OwnDocument,
  StaticFile,
  StaticFiles,
} from '../../bff/pages/pages.ts'
import type { Counts } from '../../contract/assumptions.ts'
import type { SignedOut } from '../../contract/session.ts'

/** The content of the root of each document, in one language. */
export interface Prerendered {
  pages: Record<DocumentKind, string>
  /** The sign-in page where it is known if a code exchange counts: its price is another. */
  signIn?: { yes: string; no: string }
  /** The title of the sign-in page. */
  title: string
  /** The content of the `noscript` element. */
  noScript: string
}

/** By language. @param session the answer without a session */
export type Prerender = (session: SignedOut) => Promise<Record<string, Prerendered>>

/** Draws an organization's page with known data, and the style sheet that replaces its style attributes. */
export type DrawPage = (language: string, known: PageData) => { root: string; sheet: string }

/** The output of each source file. */
export type Manifest = Record<string, { file: string; imports?: string[]; css?: string[] }>

/** The manifest's key of a chunk from tools/build/chunks.ts. */
const chunk = (manifest: Manifest, name: string): string =>
  Object.keys(manifest).find((key) => key.startsWith(`_${name}-`) && key.endsWith('.js')) ?? ''
const dictionary = (language: string, name: string) => `src/web/text/${language}/${name}.ts`

/** The modules, and all their static imports. */
function reach(manifest: Manifest, keys: readonly string[], seen = new Set<string>()): Set<string> {
  for (const key of keys) if (!seen.has(key)) reach(manifest, manifest[key]?.imports ?? [], seen.add(key))
  return seen
}

/** The modules that a document preloads, beside those that it names already. */
function modulesOf(manifest: Manifest, language: string, kind: DocumentKind): string[] {
  const first = dictionary(language, 'first')
  if (kind === 'posted') return []
  if (kind === 'waiting' || kind === 'sign-in') return [first]
  return [first, dictionary(language, 'home'), chunk(manifest, 'signed-in')]
}

/** The build of src/web. */
export interface BuiltPage {
  files: StaticFiles
  manifest: Manifest
  prerender: Prerender
  drawPage: DrawPage
}

export async function createDocuments(built: BuiltPage, session: SignedOut): Promise<Documents> {
  const found = new Map<string, StaticFile>()
  /** Shells of the organization's page with numbers: the root is empty. */
  const empty = new Map<string, string>()
  const styles = new Set([hashSource(WITHOUT_SCRIPT)])
  for (const [language, { pages, signIn, ...words }] of Object.entries(await built.prerender(session))) {
    for (const [name, root] of Object.entries(pages)) {
      const kind = name as DocumentKind
      const priced = kind === 'sign-in' ? Object.entries(signIn ?? {}) : []
      const { html, style } = emptyDocument(built, language, kind, words)
      styles.add(hashSource(style))
      for (const isChosen of [true, false]) {
        const shell = isChosen ? html : html.replace(START, '<script async fetchpriority="high" ')
        for (const [counts, own] of [['unknown', root], ...priced] as [Counts, string][])
          found.set(nameOf(language, kind, isChosen, counts), compressed(withRoot(shell, own), BROTLI_OF_ALL))
        if (kind === 'page')
          empty.set(nameOf(language, kind, isChosen), shell.replace('data-page=', 'data-known data-page='))
      }
    }
  }
  return {
    get: (language, kind, isChosen, counts) =>
      found.get(nameOf(language, kind, isChosen, kind === 'sign-in' ? counts : undefined)),
    getOwn(language, isChosen, known) {
      const shell = empty.get(nameOf(language, 'page', isChosen))
      return shell === undefined ? undefined : ownDocument(shell, built.drawPage(language, known))
    },
    styles: [...styles],
  }
}

/** The document of a language and kind with an empty root, and the text of its style element. */
function emptyDocument(
  { files, manifest }: BuiltPage,
  language: string,
  kind: DocumentKind,
  { title, noScript }: Pick<Prerendered, 'title' | 'noScript'>,
) {
  const textOf = (path: string) => new TextDecoder().decode(files.get(path)?.body)
  const first = chunk(manifest, 'first')
  const named = reach(manifest, [first])
  const modules = [...reach(manifest, modulesOf(manifest, language, kind))].filter((key) => !named.has(key))
  const css = [first, ...modules].flatMap((key) => manifest[key]?.css ?? [])
  const style = css.map((file) => textOf(`/${file}`)).join('')
  const links = modules.map((key) => preload(manifest[key]?.file))
  const html = fill(textOf('/index.html'), {
    page: `lang="${language}" data-page="${kind}" data-sheets="${css.map((file) => `/${file}`).join(' ')}"`,
    title: kind === 'sign-in' ? `${title} · Plimsoll` : 'Plimsoll',
    head: [
      WHOLE_FIRST,
      `<style>${style}</style>`,
      `<noscript><style>${WITHOUT_SCRIPT}</style></noscript>`,
      ...links,
    ].join('\n    '),
    noScript,
  })
  return { html: kind === 'posted' ? html.replaceAll(OF_SCRIPTS, '') : html, style }
}

function ownDocument(shell: string, { root, sheet }: ReturnType<DrawPage>): OwnDocument {
  const html = withRoot(shell, root).replace('</head>', () => `  <style>${sheet}</style>\n  </head>`)
  return { file: compressed(html, BROTLI_OF_ONE), styles: [hashSource(sheet)] }
}

const hashSource = (style: string): string =>
  `'sha256-${createHash('sha256').update(style).digest('base64')}'`

const preload = (file = ''): string => `<link rel="modulepreload" crossorigin href="/${file}">`

const nameOf = (language: string, kind: DocumentKind, isChosen: boolean, counts: Counts = 'unknown') =>
  `${language} ${kind} ${isChosen} ${counts}`
const OF_SCRIPTS = /\s*<(?:script.*?<\/script|noscript.*?<\/noscript|link rel="modulepreload"[^>]*)>/gs
/** Without scripts the page would look alive and do nothing: a card is in its place. */
const WITHOUT_SCRIPT = '#root{display:none}'
/** The script tag of src/web/app/start.js. */
const START = /<script (?=src=)/

interface Parts {
  page: string
  title: string
  head: string
  noScript: string
}

/** Paints once the document is parsed: centred content would move otherwise (HTML, link type `expect`). */
const WHOLE_FIRST = '<link rel="expect" href="#end" blocking="render">'
const END = '<template id="end"></template>'
const ROOT = '<!-- root -->'
const withRoot = (shell: string, root: string): string => shell.replace(ROOT, () => root)

/** Replaces with functions, since `$` has a meaning in a replacement text. */
function fill(index: string, { page, title, head, noScript }: Parts): string {
  const parts: [RegExp, string][] = [
    [/lang="en"/, page],
    [/(?<=<title>).*(?=<\/title>)/, title],
    [/<link rel="stylesheet"[^>]*>/, head],
    [/(?<=<body>\s*<noscript>).*?(?=<\/noscript>)/s, noScript],
    [/(?<=<div id="root"[^>]*>).*(?=<\/div>\s*<\/body>)/s, ROOT],
    [/(?=<\/body>)/, END],
  ]
  return parts.reduce((html, [place, text]) => html.replace(place, () => text), index)
}

/** The quality for shared documents; the best one takes ten times as long. */
const BROTLI_OF_ALL = 9
/** The quality for a document that is made for one answer. */
const BROTLI_OF_ONE = 4
const contentType = 'text/html; charset=utf-8'
const brotli = (body: Uint8Array, quality: number) =>
  new Uint8Array(brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }))
const gzip = (body: Uint8Array) => new Uint8Array(gzipSync(body))

/** Compresses at the first request: few documents are requested, and a start would wait for all. */
function compressed(html: string, quality: number): StaticFile {
  const body = new TextEncoder().encode(html)
  let br: StaticFile['body'] | undefined
  let zip: StaticFile['body'] | undefined
  const encoded = {
    get br() {
      return (br ??= brotli(body, quality))
    },
    get gzip() {
      return (zip ??= gzip(body))
    },
  }
  return { body, encoded, contentType }
}
