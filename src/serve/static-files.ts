/** Reads the built app from the disk. */
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { CONTENT_TYPES, type StaticFile, type StaticFiles } from '../bff/pages.ts'

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
