import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getMimeType } from 'hono/utils/mime'
import type { StaticFile, StaticFiles } from '../../bff/pages/pages.ts'
import type { BuiltPage, Manifest } from './documents.ts'

/** All files of a folder that have a content type, with their compressed copies, by path (`/index.html`). */
export function readStaticFiles(folder: string): StaticFiles {
  const bytes = new Map<string, Uint8Array<ArrayBuffer>>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(folder.length).replaceAll('\\', '/')
    if (entry.isFile()) bytes.set(name, new Uint8Array(readFileSync(path)))
  }
  const files = new Map<string, StaticFile>()
  for (const [name, body] of bytes) {
    const contentType = getMimeType(name)
    // The manifest is for the server alone, and a compressed copy goes out under the name of its file.
    if (contentType === undefined || /^\/\.|\.(br|gz)$/.test(name)) continue
    const [br, gzip] = [bytes.get(`${name}.br`), bytes.get(`${name}.gz`)]
    files.set(name, { body, encoded: { ...(br && { br }), ...(gzip && { gzip }) }, contentType })
  }
  return files
}

/** @param server the folder of the built server, beside that of the page and the record of their build */
export async function readBuiltPage(server: URL): Promise<BuiltPage> {
  const folder = fileURLToPath(new URL('../web', server))
  const page = (await import(/* @vite-ignore */ new URL('page.js', server).href)) as Pick<BuiltPage, 'draw'>
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest
  const record = JSON.parse(readFileSync(new URL('../build.json', server), 'utf8')) as { name: string }
  return { files: readStaticFiles(folder), manifest, build: record.name, draw: page.draw }
}
