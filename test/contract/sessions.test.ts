import { expect, test } from 'vitest'
import { Problem } from '../../src/contract/problem.ts'
import { parseOwnSessions } from '../../src/contract/sessions.ts'

const ONE = {
  id: 'an-id',
  opened_at: '2026-11-21T06:00:00.000Z',
  seen_at: '2026-11-21T15:00:00+09:00',
  browser: 'Firefox on Linux',
  current: true,
}

test('a list of sessions is read whole, and what is not known in it is left out (4)', () => {
  const body = {
    sessions: [
      { ...ONE, later: 1 },
      { ...ONE, current: false },
    ],
    next: 'a page',
  }
  expect(parseOwnSessions(body)).toEqual({ sessions: [ONE, { ...ONE, current: false }] })
  expect(parseOwnSessions({ sessions: [] })).toEqual({ sessions: [] })
})

test.each([
  ['no object', []],
  ['no list', { sessions: ONE }],
  ['no id', { sessions: [{ ...ONE, id: undefined }] }],
  ['an id that is a number', { sessions: [{ ...ONE, id: 1 }] }],
  ['no browser', { sessions: [{ ...ONE, browser: null }] }],
  ['a mark that is no boolean', { sessions: [{ ...ONE, current: 'true' }] }],
  ['a day without a time', { sessions: [{ ...ONE, opened_at: '2026-11-21' }] }],
  ['a time without a zone', { sessions: [{ ...ONE, opened_at: '2026-11-21T06:00:00' }] }],
  ['a month that there is not', { sessions: [{ ...ONE, seen_at: '2026-13-21T06:00:00Z' }] }],
  ['a number of milliseconds', { sessions: [{ ...ONE, seen_at: 1_795_240_800_000 }] }],
  ['text around an instant', { sessions: [{ ...ONE, seen_at: `at ${ONE.seen_at}` }] }],
])('a list with %s is not read (RFC 3339 5.6)', (_, body) => {
  expect(() => parseOwnSessions(body)).toThrow(new Problem('unexpected_reply'))
})
