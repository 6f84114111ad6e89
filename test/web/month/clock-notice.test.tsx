import { render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { useUi } from '../../../src/web/lib/ui.ts'
import { ClockNotice } from '../../../src/web/month/clock-notice.tsx'

afterEach(() => useUi.setState({ clockAheadMs: 0 }))

test.each([
  [86_400_000, 'This device’s clock is 24 hours ahead; dates here follow the server.'],
  [-180_000, 'This device’s clock is 3 minutes behind; dates here follow the server.'],
])('a clock that is %i ms ahead is named beside the reset (RFC 9110 6.6.1)', (clockAheadMs, words) => {
  useUi.setState({ clockAheadMs })
  render(<ClockNotice />)
  expect(screen.getByText(words)).toBeTruthy()
})

test('a clock that is right is not mentioned (RFC 9110 6.6.1)', () => {
  const { container } = render(<ClockNotice />)
  expect(container.textContent).toBe('')
})
