/** Makes the HTML documents of the app: the built one, with what its script will draw first, its styles, and links to what follows. */
import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { DocumentKind, Documents, StaticFile, StaticFiles } from '../bff/pages.ts'
import type { SignedOut } from '../contract/session.ts'

/** What is in the root of each document, in one language. */
export interface Prerendered {
  pages: Record<DocumentKind, string>
  /** Of the sign-in. */
  title: string
}

/** By language. @param session the answer to those who are not signed in */
export type Prerender = (session: SignedOut) => Promise<Record<string, Prerendered>>

/** The build's manifest: for each source file what became of it. */
export type Manifest = Record<string, { file: string; imports?: string[]; css?: string[] }>

/** Asked for as soon as the page of the organization is drawn. */
const RECORD = 'src/web/json-view.tsx'
/** The key of a file of vite.chunks.ts. */
const chunk = (manifest: Manifest, name: string): string =>
  Object.keys(manifest).find((key) => key.startsWith(`_${name}-`) && key.endsWith('.js')) ?? ''
const dictionary = (language: string, name: string) => `src/web/text/${language}/${name}.ts`

/** The files of the modules, and of all that they import at once. */
function reach(manifest: Manifest, keys: readonly string[], seen = new Set<string>()): Set<string> {
  for (const key of keys) if (!seen.has(key)) reach(manifest, manifest[key]?.imports ?? [], seen.add(key))
  return seen
}

/** The modules that a document leads to, beside those that it names already. */
function modulesOf(manifest: Manifest, language: string, kind: DocumentKind): string[] {
  const shared = dictionary(language, 'shared')
  if (kind === 'waiting' || kind === 'sign-in') return [shared]
  const signedIn = [shared, dictionary(language, 'signed-in'), chunk(manifest, 'signed-in')]
  return kind === 'page' ? [...signedIn, RECORD] : signedIn
}

/** What the build made of src/web. */
export interface BuiltPage {
  files: StaticFiles
  manifest: Manifest
  prerender: Prerender
}

export async function createDocuments(
  { files, manifest, prerender }: BuiltPage,
  session: SignedOut,
): Promise<Documents> {
  const textOf = (path: string) => new TextDecoder().decode(files.get(path)?.body)
  const index = textOf('/index.html')
  const first = chunk(manifest, 'first')
  const named = reach(manifest, [first])
  const found = new Map<string, StaticFile>()
  const styles = new Set<string>()
  for (const [language, { pages, title }] of Object.entries(await prerender(session))) {
    for (const [name, root] of Object.entries(pages)) {
      const kind = name as DocumentKind
      const modules = [...reach(manifest, modulesOf(manifest, language, kind))].filter(
        (key) => !named.has(key),
      )
      const css = [first, ...modules].flatMap((key) => manifest[key]?.css ?? [])
      const style = css.map((file) => textOf(`/${file}`)).join('')
      styles.add(`'sha256-${createHash('sha256').update(style).digest('base64')}'`)
      const links = modules.map((key) => preload(manifest[key]?.file, key === RECORD))
      const html = fill(index, {
        page: `lang="${language}" data-page="${kind}" data-sheets="${css.map((file) => `/${file}`).join(' ')}"`,
        title: kind === 'sign-in' ? `${title} · Plimsoll` : 'Plimsoll',
        head: [`<style>${style}</style>`, ...links].join('\n    '),
        // Its buttons work when the script is there.
        inert: kind === 'page' ? ' inert' : '',
        root,
      })
      found.set(nameOf(language, kind, true), compressed(html))
      found.set(
        nameOf(language, kind, false),
        compressed(html.replace(START, '<script async fetchpriority="high" ')),
      )
    }
  }
  return { get: (...of) => found.get(nameOf(...of)), styles: [...styles] }
}

/** @param isLate what is seen first does without it */
const preload = (file = '', isLate: boolean): string =>
  `<link rel="modulepreload" crossorigin${isLate ? ' fetchpriority="low"' : ''} href="/${file}">`

const nameOf = (language: string, kind: DocumentKind, isChosen: boolean) => `${language} ${kind} ${isChosen}`
/** Of public/assets/start-*.js. */
const START = /<script (?=src=)/

interface Parts {
  page: string
  title: string
  head: string
  inert: string
  root: string
}

/** Functions in the place of texts, since `$` in a text that replaces another means something. */
function fill(index: string, { page, title, head, inert, root }: Parts): string {
  const parts: [RegExp, string][] = [
    [/lang="en"/, page],
    [/(?<=<title>).*(?=<\/title>)/, title],
    [/<link rel="stylesheet"[^>]*>/, head],
    [/(?<=<div id="root")/, inert],
    [/(?<=<div id="root"[^>]*>).*(?=<\/div>\s*<\/body>)/s, root],
  ]
  return parts.reduce((html, [place, text]) => html.replace(place, () => text), index)
}

function compressed(html: string): StaticFile {
  const body = new TextEncoder().encode(html)
  // The best one takes ten times as long, at every start.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
  return {
    body,
    encoded: {
      br: new Uint8Array(brotliCompressSync(body, { params })),
      gzip: new Uint8Array(gzipSync(body)),
    },
    contentType: 'text/html; charset=utf-8',
  }
}
