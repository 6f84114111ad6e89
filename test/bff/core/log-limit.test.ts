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

test('sixty of 10,000 similar lines are written in a minute, then one with the rest (ASVS 16.4.1)', () => {
  const lines = written([...flood(PROBLEM, 10_000), [MINUTE_MS, undefined]])
  expect(lines).toHaveLength(LINES_PER_WINDOW + 1)
  expect(lines.at(0)).toEqual(PROBLEM)
  expect(lines.at(-1)).toEqual({
    level: 'info',
    event: 'problem',
    code: 'signed_out',
    dropped: 10_000 - LINES_PER_WINDOW,
  })
})

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

test.each([
  { level: 'warn', event: 'ledger' },
  { level: 'error', event: 'ledger' },
] as const)('of lines like %j sixty are written in a minute (ASVS 16.4.1)', (entry) => {
  const lines = written([...flood(entry, 100), [MINUTE_MS, undefined]])
  expect(lines.slice(LINES_PER_WINDOW)).toEqual([{ ...entry, dropped: 40 }])
})

test('lines of requests to the service and of sign-ins are never left out (8.3)', () => {
  expect(written(flood({ level: 'info', event: 'upstream' }, 500))).toHaveLength(500)
  expect(written(flood({ level: 'info', event: 'sign_in' }, 500))).toHaveLength(500)
})
