import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readStaticFiles } from '../../src/serve/static-files.ts'

test('files with a content type are read with their path below the folder, plain and compressed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<p>')
  writeFileSync(join(folder, 'assets', 'a.js'), '1'.repeat(1000))
  writeFileSync(join(folder, 'manifest.json'), '{}')
  const files = readStaticFiles(folder)
  expect([...files.keys()].toSorted()).toEqual(['/assets/a.js', '/index.html'])
  const script = files.get('/assets/a.js')
  expect(script?.contentType).toBe('text/javascript; charset=utf-8')
  expect(gunzipSync(script?.gzipped ?? '')).toEqual(Buffer.from(script?.body ?? ''))
  rmSync(folder, { recursive: true })
})
