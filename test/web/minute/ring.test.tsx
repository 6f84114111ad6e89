import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { WindowSnapshot } from '../../../src/contract/quota.ts'
import { gaugeValues } from '../../../src/web/minute/gauge.ts'
import { Ring } from '../../../src/web/minute/ring.tsx'
import { window_ } from '../_snapshot.ts'

function draw(changes: Partial<WindowSnapshot>) {
  const { container } = render(<Ring of="read" minute={gaugeValues(window_(changes), 0)} drifted={false} />)
  const circle = (kind: string) => container.querySelector(`path[class*="${kind}"]`)
  /** Parts of the circle: the line, and the gap after it. */
  const dashOf = (kind: string) => circle(kind)?.getAttribute('stroke-dasharray')?.split(' ').map(Number)
  return { container, dashOf, meter: screen.getByRole('meter', { name: 'Read requests left this minute' }) }
}

test('a meter has a name, bounds, a number, and a sentence that is also text in it (D2)', () => {
  const { meter } = draw({})
  expect(meter).toHaveAttribute('aria-valuemin', '0')
  expect(meter).toHaveAttribute('aria-valuemax', '60')
  expect(meter).toHaveAttribute('aria-valuenow', '37')
  expect(meter).toHaveAttribute('aria-valuetext', '37 of 60 reads left')
  expect(meter).toHaveTextContent('37 of 60 reads left')
})

test.each([
  [61, '60'],
  [-3, '0'],
])('a number outside its bounds, %i of 60, is read out as the bound (B4)', (remaining, now) => {
  expect(draw({ remaining }).meter).toHaveAttribute('aria-valuenow', now)
})

test.each([0, 1, 8, 37, 59, 60, 61])(
  'the ring of %i of 60 is as long as what is left, and never longer than its circle (8.2)',
  (remaining) => {
    const [line = NaN, gap = NaN] = draw({ remaining }).dashOf('left') ?? []
    const share = Math.min(1, remaining / 60)
    expect(line + gap).toBeCloseTo(1)
    // Its round ends are a part of it.
    expect(line).toBeGreaterThanOrEqual(Math.max(0, share - 0.05))
    expect(line).toBeLessThanOrEqual(share)
  },
)

test.each<[string, Partial<WindowSnapshot>, string | undefined]>([
  ['with much left', {}, undefined],
  ['that is low', { remaining: 8 }, 'triangle'],
  ['with none left', { remaining: 0 }, 'square'],
])('a ring %s has the shape %3$s beside its words (D5)', (_, changes, shape) => {
  const { container } = draw(changes)
  expect(container.querySelector<HTMLElement>('[data-shape]')?.dataset['shape']).toBe(shape)
})

test('after a sleep no ring runs down until the quota is read again (B11)', () => {
  const minute = gaugeValues(window_(), 0)
  const { container, rerender } = render(<Ring of="read" minute={minute} drifted={false} />)
  expect(container.querySelector('path[class*="countdown"]')).toHaveAttribute(
    'stroke-dasharray',
    `${21 / 60} ${39 / 60}`,
  )
  rerender(<Ring of="read" minute={minute} drifted />)
  expect(container.querySelector('path[class*="countdown"]')).toBeNull()
})
