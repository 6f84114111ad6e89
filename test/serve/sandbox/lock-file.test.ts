import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { takeLock } from '../../../src/serve/sandbox/lock-file.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
  path = join(folder, 'state.lock')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Another process; it ends with its input. */
const other = () => spawn(process.execPath, ['-e', 'process.stdin.resume()'])

test('a lock is taken and released, and nothing stays behind', () => {
  const release = takeLock(path)
  expect(readFileSync(path, 'utf8')).toMatch(new RegExp(`^${process.pid} `))
  expect(readdirSync(folder)).toEqual(['state.lock'])
  release()
  expect(existsSync(path)).toBe(false)
  takeLock(path)()
})

test('a lock of a running process is refused, and taken over once it was killed', async () => {
  const child = other()
  const source = `/proc/${child.pid}/stat`
  const fields = existsSync(source) ? readFileSync(source, 'utf8') : ''
  writeFileSync(path, `${child.pid} ${fields.slice(fields.lastIndexOf(')') + 2).split(' ')[19] ?? '-'}`)
  expect(() => takeLock(path)).toThrow(expect.objectContaining({ name: 'LockedError', pid: child.pid }))
  child.kill('SIGKILL')
  await once(child, 'exit')
  takeLock(path)
  expect(readFileSync(path, 'utf8')).toMatch(new RegExp(`^${process.pid} `))
})

test('a lock of an earlier process whose id another one has now is taken over', async () => {
  const child = other()
  writeFileSync(path, `${child.pid} 1`)
  takeLock(path)
  expect(readFileSync(path, 'utf8')).toMatch(new RegExp(`^${process.pid} `))
  child.stdin.end()
  await once(child, 'exit')
})

test.each(['', 'x', '0 1', '-1 1'])(
  'a lock with the content %j belongs to no process, and is taken over',
  (text) => {
    writeFileSync(path, text)
    takeLock(path)
    expect(readdirSync(folder)).toEqual(['state.lock'])
  },
)

test('a lock that another process took over is not released', () => {
  const release = takeLock(path)
  writeFileSync(path, '1 1')
  release()
  expect(readFileSync(path, 'utf8')).toBe('1 1')
})
