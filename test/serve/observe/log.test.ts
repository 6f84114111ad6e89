import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import pretty from 'pino-pretty'
import { createLog, fileSink, PRETTY, type ServeEntry, streamSink } from '../../../src/serve/observe/log.ts'

const now = () => new Date('2026-11-21T06:00:00.000Z')
const folder = mkdtempSync(join(tmpdir(), 'plimsoll-log-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(sink: Parameters<typeof createLog>[0], entries: readonly ServeEntry[]) {
  const log = createLog(sink, now)
  for (const entry of entries) log(entry)
}

const linesOf = (text: string): object[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

test('an entry is a line with its time (ASVS 16.2.2)', () => {
  const path = join(folder, 'log')
  const fd = openSync(path, 'a')
  write(fileSink(fd), [
    { level: 'info', event: 'store_recovered' },
    { level: 'info', event: 'sign_out' },
  ])
  closeSync(fd)
  expect(linesOf(readFileSync(path, 'utf8'))).toEqual([
    { time: '2026-11-21T06:00:00.000Z', level: 'info', event: 'store_recovered' },
    { time: '2026-11-21T06:00:00.000Z', level: 'info', event: 'sign_out' },
  ])
})

test('each of the lines that are not taken is counted (attack 75)', () => {
  const written: string[] = []
  let isTaken = false
  const log = createLog((line) => isTaken && written.push(line) > 0, now)
  for (let sent = 0; sent < 3; sent += 1) log({ level: 'info', event: 'sign_out' })
  isTaken = true
  log({ level: 'info', event: 'store_recovered' })
  expect(linesOf(written.join(''))).toMatchObject([{ dropped: 3 }, { event: 'store_recovered' }])
})

test('a full disk and a closed file lose lines, and throw nothing (attack 75)', () => {
  const fd = openSync('/dev/full', 'w')
  expect(fileSink(fd)('a line\n')).toBe(false)
  closeSync(fd)
  expect(fileSink(fd)('a line\n')).toBe(false)
})

test('a reader that stands still is not waited for: a mebibyte waits, and dropped lines count (attack 75)', async () => {
  let written = ''
  let next: () => void = () => {}
  const stream = new Writable({
    write(chunk, _, done) {
      written += String(chunk)
      next = done
    },
  })
  const log = createLog(streamSink(stream), now)
  const entry = { level: 'warn', event: 'problem', cause: 'x'.repeat(1000) } as const
  for (let sent = 0; sent < 3000; sent += 1) log(entry)
  expect(stream.writableLength).toBeLessThan(1_100_000)
  const drain = async () => {
    while (stream.writableLength > 0) {
      next()
      await new Promise(setImmediate)
    }
  }
  await drain()
  log(entry)
  await drain()
  const lines = linesOf(written) as { event: string; dropped?: number }[]
  const reports = lines.filter(({ event }) => event === 'lines_dropped')
  expect(reports).toHaveLength(1)
  expect(lines.length - 1 + (reports[0]?.dropped ?? 0)).toBe(3001)
  expect(lines.at(-2)).toEqual(reports[0])
})

test('an unknown member of an entry is left out, and so is every value with members (ASVS 16.2.5)', () => {
  const written: string[] = []
  const entry = {
    level: 'info',
    event: 'request',
    route: '/bff/quota',
    status: 200,
    access_token: 'canary-of-a-token',
    cookie: { value: 'canary-of-a-cookie' },
    cause: { api_key: 'canary-of-a-key' },
    err: new Error('canary-of-an-error'),
    request_id: ['canary-of-a-list'],
    time: 'canary-of-a-time',
    msg: 'canary-of-a-text',
    pid: 1,
  }
  write((line) => written.push(line) > 0, [entry as unknown as ServeEntry])
  expect(written.join()).not.toContain('canary')
  expect(linesOf(written.join())).toEqual([
    { time: '2026-11-21T06:00:00.000Z', level: 'info', event: 'request', route: '/bff/quota', status: 200 },
  ])
})

test('on a terminal an entry is one line for a person, and no character that a terminal acts on', async () => {
  let written = ''
  const destination = new Writable({ write: (chunk, _, done) => [(written += String(chunk)), done()] })
  const log = createLog(streamSink(pretty({ ...PRETTY, destination, colorize: false })), now)
  log({ level: 'error', event: 'problem', path: '/a\n\r\u001b[2J\u009b\u2028' })
  await expect.poll(() => written).toMatch(/ERROR.*: problem \{"path":"[^\n]*\n$/)
  expect(written).not.toMatch(/[^\n\x20-\x7e]/)
})

test('no text of an entry begins another line (ASVS 16.4.1)', () => {
  const written: string[] = []
  const path = '/a\n{"level":"error"}\r\u001b[2J'
  write((line) => written.push(line) > 0, [{ level: 'info', event: 'problem', path }])
  expect(written).toHaveLength(1)
  expect(written[0]?.split(/[\n\r]/)).toHaveLength(2)
  expect(written[0]).not.toContain('\u001b')
  expect(linesOf(written[0] ?? '')).toMatchObject([{ path }])
})
