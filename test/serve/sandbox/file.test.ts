import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSandboxFile } from '../../../src/serve/sandbox/file.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
  path = join(folder, 'data', 'sandbox.json')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the folder is made, and what is written is read by the next one', () => {
  const file = openSandboxFile(path)
  expect(file.text).toBeUndefined()
  file.write('{}')
  file.release()
  expect(openSandboxFile(path).text).toBe('{}')
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('a file that is set aside stays under another name', () => {
  const file = openSandboxFile(path)
  file.write('damaged')
  const name = file.setAside(Date.UTC(2026, 10, 21, 6))
  expect(name).toBe(`${path}.damaged-2026-11-21T06-00-00.000Z`)
  expect(readFileSync(name, 'utf8')).toBe('damaged')
  file.write('new')
  file.release()
  expect(readdirSync(join(folder, 'data')).toSorted()).toEqual([
    'sandbox.json',
    'sandbox.json.damaged-2026-11-21T06-00-00.000Z',
    'sandbox.json.lock',
  ])
})

test('a folder in place of the file is an error in one sentence', () => {
  mkdirSync(path, { recursive: true })
  expect(() => openSandboxFile(path)).toThrow(/sandbox\.json cannot be used: EISDIR.*PLIMSOLL_STORE\.$/)
})

test('a file that another process has open is refused, until that one has ended or was killed', async () => {
  const file = openSandboxFile(path)
  expect(() => openSandboxFile(path)).toThrow(
    /^Another sandbox is using .*sandbox\.json\. Stop it, or choose/,
  )
  file.release()
  const source = `
    const db = new (require('libsql'))(process.argv[1])
    db.exec('BEGIN EXCLUSIVE')
    console.log('locked')
    process.stdin.resume()
  `
  const child = spawn(process.execPath, ['-e', source, `${path}.lock`])
  await once(child.stdout, 'data')
  expect(() => openSandboxFile(path)).toThrow('Another sandbox is using')
  child.kill('SIGKILL')
  await once(child, 'exit')
  openSandboxFile(path).release()
})
