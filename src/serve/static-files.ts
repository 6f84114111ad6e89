/** Reads the built app from the disk. */
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { StaticFile, StaticFiles } from '../bff/pages.ts'

/** By the extension of a file's name; a file without a type is not served. */
const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
}

/** All files of a folder that have a content type, by path below it, as `/index.html`, also compressed. */
export function readStaticFiles(folder: string): StaticFiles {
  const files = new Map<string, StaticFile>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const contentType = CONTENT_TYPES[extname(path)]
    // The build's own manifest, for one.
    if (!entry.isFile() || contentType === undefined) continue
    const body = new Uint8Array(readFileSync(path))
    files.set(path.slice(folder.length).replaceAll('\\', '/'), {
      body,
      gzipped: new Uint8Array(gzipSync(body)),
      contentType,
    })
  }
  return files
}
