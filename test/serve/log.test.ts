import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import { createLog, fileSink, streamSink } from '../../src/serve/log.ts'

const now = () => new Date('2026-11-21T06:00:00.000Z')
const folder = mkdtempSync(join(tmpdir(), 'plimsoll-log-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const linesOf = (text: string): object[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

test('an entry is a line with its time, and with the number of the worker where there are several', () => {
  const path = join(folder, 'log')
  const fd = openSync(path, 'a')
  createLog(fileSink(fd), now)({ level: 'info', event: 'store_recovered' })
  createLog(fileSink(fd), now, 3)({ level: 'info', event: 'sign_out' })
  closeSync(fd)
  expect(linesOf(readFileSync(path, 'utf8'))).toEqual([
    { time: '2026-11-21T06:00:00.000Z', level: 'info', event: 'store_recovered' },
    { time: '2026-11-21T06:00:00.000Z', worker: 3, level: 'info', event: 'sign_out' },
  ])
})

test('a full disk and a closed file lose lines, and throw nothing (attacks 75)', () => {
  const fd = openSync('/dev/full', 'w')
  expect(fileSink(fd)('a line\n')).toBe(false)
  closeSync(fd)
  expect(fileSink(fd)('a line\n')).toBe(false)
})

test('a reader that stands still is not waited for: a mebibyte waits, and what is dropped is counted (attacks 75)', async () => {
  let written = ''
  let next: () => void = () => {}
  const stream = new Writable({
    write(chunk, _, done) {
      written += String(chunk)
      next = done
    },
  })
  const log = createLog(streamSink(stream), now)
  const entry = { level: 'info', event: 'problem', cause: 'x'.repeat(1000) } as const
  for (let sent = 0; sent < 3000; sent += 1) log(entry)
  expect(stream.writableLength).toBeLessThan(1_100_000)
  while (stream.writableLength > 0) {
    next()
    await new Promise(setImmediate)
  }
  log(entry)
  const lines = linesOf(written) as { event: string; dropped?: number }[]
  const reports = lines.filter(({ event }) => event === 'lines_dropped')
  expect(reports).toHaveLength(1)
  expect(lines.length - 1 + (reports[0]?.dropped ?? 0)).toBe(3001)
  expect(lines.at(-2)).toEqual(reports[0])
})
