import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { QuotaSnapshot } from '../../src/contract/quota.ts'
import { sentencesFor, standingOf, Status } from '../../src/web/status.tsx'
import { useUi } from '../../src/web/ui.ts'
import { snapshot, window_ } from './_bff.ts'

afterEach(() => vi.useRealTimers())

const at = (changes: Partial<QuotaSnapshot>, elapsedMs = 0) => standingOf(snapshot(changes), elapsedMs)
const none = { read: window_({ remaining: 0 }) }
const tell = (changes: Partial<QuotaSnapshot>) =>
  act(() => useUi.setState({ quota: { snapshot: snapshot(changes), atMs: performance.now(), wallMs: 0 } }))

test('nothing is said while things stay as they are', () => {
  expect(sentencesFor(at({}), at({ read: window_({ remaining: 36 }) }))).toEqual([])
})

test('crossings are said, and that requests are possible again (D4)', () => {
  expect(sentencesFor(at({}), at({ read: window_({ remaining: 12 }) }))).toEqual([
    'Read requests are running low this minute.',
  ])
  expect(sentencesFor(at({}), at(none))).toEqual([
    'Requests are held back: a limit is reached.',
    'No read requests are left this minute.',
  ])
  expect(sentencesFor(at(none), at(none, 22_000))).toEqual([
    'Requests are possible again.',
    'The read window has reset.',
  ])
})

test('the month is said at its two marks', () => {
  const month = (low: number) => at({ month: { ...snapshot().month, low, high: low } })
  expect(sentencesFor(month(79), month(80))).toEqual(['Requests are running low this month.'])
  expect(sentencesFor(month(80), month(100))).toEqual(['No requests are left this month.'])
})

test('a limit that changes is said once, and its first sight is not (B28)', () => {
  const known = { read: window_(), update: window_({ limit: 15, remaining: 15 }) }
  const raised = { ...known, read: window_({ limit: 600, remaining: 599 }) }
  expect(sentencesFor(at(known), at(raised))).toEqual(['The limits of the minute have changed.'])
  expect(sentencesFor(at({}), at(known))).toEqual([])
})

test('the page speaks politely, one sentence in ten seconds at most', async () => {
  vi.useFakeTimers()
  useUi.setState({ quota: undefined })
  render(<Status />)
  const status = screen.getByRole('status')
  tell({})
  expect(status).toBeEmptyDOMElement()
  tell({ ...none, read: window_({ remaining: 0, reset_in_ms: 60_000 }) })
  expect(status).toHaveTextContent('Requests are held back: a limit is reached.')
  await act(() => vi.advanceTimersByTimeAsync(9000))
  expect(status).toHaveTextContent('Requests are held back')
  await act(() => vi.advanceTimersByTimeAsync(2000))
  expect(status).toHaveTextContent('No read requests are left this minute.')
})
