import { act, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { QuotaSnapshot } from '../../../src/contract/quota.ts'
import { limitStatesOf, sentencesFor, Announcer } from '../../../src/web/app/announcer.tsx'
import { useUi } from '../../../src/web/lib/ui.ts'
import { snapshot, window_ } from '../_snapshot.ts'

const at = (changes: Partial<QuotaSnapshot>, elapsedMs = 0) => limitStatesOf(snapshot(changes), elapsedMs)
const none = { read: window_({ remaining: 0 }) }
const receive = (changes: Partial<QuotaSnapshot>) =>
  act(() => useUi.setState({ quota: { snapshot: snapshot(changes), atMs: performance.now(), wallMs: 0 } }))

test('nothing is announced while the states stay as they are (D4)', () => {
  expect(sentencesFor(at({}), at({ read: window_({ remaining: 36 }) }))).toEqual([])
})

test('changes of state are announced, and so is the end of a pause (D4)', () => {
  expect(sentencesFor(at({}), at({ read: window_({ remaining: 12 }) }))).toEqual([
    'Read requests are running low this minute.',
  ])
  expect(sentencesFor(at({}), at(none))).toEqual(['No read requests are left this minute.'])
  expect(sentencesFor(at(none), at(none, 22_000))).toEqual(['Read requests are available again.'])
})

test('a pause is announced by itself only if no other sentence says why, also when it ends (D4)', () => {
  const pause = { code: 'rate_limited', ends_in_ms: 30_000, reasons: [] } as const
  const paused = { ...none, pauses: [pause] }
  expect(sentencesFor(at({}), at({ pauses: [pause] }))).toEqual(['Paused: a limit is reached.'])
  expect(sentencesFor(at({ pauses: [pause] }), at({}))).toEqual(['You can send requests again.'])
  // The minute has been reset, but the pause goes on.
  expect(sentencesFor(at(paused), at(paused, 22_000))).toEqual([])
  expect(sentencesFor(at(paused, 22_000), at(paused, 30_000))).toEqual(['You can send requests again.'])
})

test('the month is announced when it becomes low and when it is used up (8.3)', () => {
  const month = (low: number) => at({ month: { ...snapshot().month, low, high: low } })
  expect(sentencesFor(month(79), month(80))).toEqual(['Requests are running low this month.'])
  expect(sentencesFor(month(80), month(100))).toEqual(['No requests are left this month.'])
})

test('a refusal that looks like the monthly limit is announced, and so is its end (D4)', () => {
  const month = (changes: object) => at({ month: { ...snapshot().month, ...changes } })
  const suspected = month({ suspected: { age_ms: 0, reasons: [] } })
  const over = month({ low: 100, high: 100 })
  expect(sentencesFor(month({}), suspected)).toEqual(['This month is probably used up.'])
  expect(sentencesFor(suspected, month({}))).toEqual(['Requests are available again this month.'])
  expect(sentencesFor(over, month({}))).toEqual(['Requests are available again this month.'])
  expect(sentencesFor(over, suspected)).toEqual(['This month is probably used up.'])
})

test('a reading that changes no state is not announced (D4)', () => {
  const organization = { low: 32, high: 34, reading_age_ms: 0 }
  expect(sentencesFor(at({}), at({ month: { ...snapshot().month, organization } }))).toEqual([])
})

test('a changed limit is announced once, and the first limit is not (B28)', () => {
  const known = { read: window_(), update: window_({ limit: 15, remaining: 15 }) }
  const raised = { ...known, read: window_({ limit: 600, remaining: 599 }) }
  expect(sentencesFor(at(known), at(raised))).toEqual(['The limits per minute have changed.'])
  expect(sentencesFor(at({}), at(known))).toEqual([])
})

test('at most one sentence is announced in ten seconds (D4)', async () => {
  vi.useFakeTimers()
  useUi.setState({ quota: undefined })
  render(<Announcer />)
  const status = screen.getByRole('status')
  receive({})
  expect(status).toBeEmptyDOMElement()
  const used = window_({ remaining: 0, reset_in_ms: 60_000 })
  receive({ read: used })
  expect(status).toHaveTextContent('No read requests are left this minute.')
  receive({ read: used, update: window_({ limit: 15, remaining: 0, reset_in_ms: 60_000 }) })
  await act(() => vi.advanceTimersByTimeAsync(9000))
  expect(status).toHaveTextContent('No read requests are left this minute.')
  await act(() => vi.advanceTimersByTimeAsync(2000))
  expect(status).toHaveTextContent('No update requests are left this minute.')
})
