import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { readBuiltPage, readStaticFiles } from '../../src/serve/static-files.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

test('files with a content type are read with their path below the folder, and with the compressed copies of the build', () => {
  const files = readStaticFiles(
    folderWith({
      'index.html': '<p>',
      'assets/a.js': 'plain',
      'assets/a.js.br': 'small',
      'assets/a.js.gz': 'smaller',
      'manifest.json': '{}',
    }),
  )
  expect([...files.keys()].toSorted()).toEqual(['/assets/a.js', '/index.html'])
  const bytes = (text: string) => new TextEncoder().encode(text)
  expect(files.get('/assets/a.js')).toEqual({
    body: bytes('plain'),
    encoded: { br: bytes('small'), gzip: bytes('smaller') },
    contentType: 'text/javascript; charset=utf-8',
  })
  expect(files.get('/index.html')?.encoded).toEqual({})
})

test('the built page is its files, its manifest, and what draws it first', async () => {
  const folder = folderWith({
    'web/index.html': '<p>',
    'web/.vite/manifest.json': '{"index.html":{"file":"assets/index.js"}}',
    'server/prerender.js': 'export const prerender = () => "drawn"',
    'server/package.json': '{"type":"module"}',
  })
  const page = await readBuiltPage(pathToFileURL(`${folder}/server/serve.js`))
  expect([...page.files.keys()]).toEqual(['/index.html'])
  expect(page.manifest).toEqual({ 'index.html': { file: 'assets/index.js' } })
  expect(page.prerender).toBeTypeOf('function')
})
