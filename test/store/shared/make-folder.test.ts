import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeFolder } from '../../../src/store/shared/make-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('missing parents are made too, and a folder that is there stays', () => {
  for (let time = 0; time < 2; time += 1) makeFolder(join(folder, 'a', 'b'))
  expect(existsSync(join(folder, 'a', 'b'))).toBe(true)
})

test('a folder that another process makes at the same moment is no error', () => {
  // A dangling link acts like such a folder: existsSync does not see it, and mkdir fails.
  symlinkSync(join(folder, 'nothing'), join(folder, 'link'))
  expect(() => makeFolder(join(folder, 'link'))).not.toThrow()
})

test('a parent that is a file is an error', () => {
  writeFileSync(join(folder, 'file'), '')
  expect(() => makeFolder(join(folder, 'file', 'x'))).toThrow('ENOTDIR')
})

test.runIf(process.platform === 'linux')('a folder below /proc is an error, and not an endless loop', () => {
  expect(() => makeFolder('/proc/nope/x')).toThrow('ENOENT')
})
