import { expect, test } from 'vitest'
import type { LogEntry } from '../../../src/bff/core/context.ts'
import { type LineCounts, LINES_PER_WINDOW, limitLines } from '../../../src/bff/core/log-limit.ts'

const PROBLEM: LogEntry = { level: 'info', event: 'problem', code: 'signed_out', request_id: 'one' }
const MINUTE_MS = 60_000

/** The lines that are written for entries at these instants. */
function written(entries: readonly (readonly [atMs: number, entry: LogEntry | undefined])[]): LogEntry[] {
  let counts: LineCounts = new Map()
  return entries.flatMap(([atMs, entry]) => {
    const limited = limitLines(counts, entry, atMs)
    counts = limited.counts
    return limited.write
  })
}

const flood = (entry: LogEntry, lines: number) => Array.from({ length: lines }, () => [0, entry] as const)

test('the count is written before the next line of any kind, once (ASVS 16.4.1)', () => {
  const start: LogEntry = { level: 'info', event: 'sign_in' }
  const lines = written([...flood(PROBLEM, 61), [MINUTE_MS, start], [MINUTE_MS + 1, PROBLEM]])
  expect(lines.slice(LINES_PER_WINDOW)).toEqual([
    { level: 'info', event: 'problem', code: 'signed_out', dropped: 1 },
    start,
    PROBLEM,
  ])
})

test('sixty lines of a minute leave nothing to count (ASVS 16.4.1)', () => {
  expect(written([...flood(PROBLEM, 60), [MINUTE_MS, undefined]])).toHaveLength(60)
})

test('a flood of one kind leaves every other line: another code, level or event (ASVS 16.4.1)', () => {
  const others: LogEntry[] = [
    { level: 'warn', event: 'problem', code: 'signed_out' },
    { level: 'info', event: 'problem', code: 'not_found' },
    { level: 'warn', event: 'ledger' },
  ]
  const lines = written([...flood(PROBLEM, 100), ...others.map((other) => [1, other] as const)])
  expect(lines.slice(LINES_PER_WINDOW)).toEqual(others)
})

test('lines of requests to the service and of sign-ins are never left out (8.3)', () => {
  expect(written(flood({ level: 'info', event: 'upstream' }, 500))).toHaveLength(500)
  expect(written(flood({ level: 'info', event: 'sign_in' }, 500))).toHaveLength(500)
})
