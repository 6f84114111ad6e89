import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Meter } from '../../../src/web/components/meter.tsx'

test('a meter has a name, bounds, a number, and a sentence that is also text in it (D2)', () => {
  render(
    <Meter
      label="Read requests left this minute"
      max={60}
      now={37}
      spoken="37 of 60 reads left"
      mark={0.2}
    />,
  )
  const meter = screen.getByRole('meter', { name: 'Read requests left this minute' })
  expect(meter).toHaveAttribute('aria-valuemin', '0')
  expect(meter).toHaveAttribute('aria-valuemax', '60')
  expect(meter).toHaveAttribute('aria-valuenow', '37')
  expect(meter).toHaveAttribute('aria-valuetext', '37 of 60 reads left')
  expect(meter).toHaveTextContent('37 of 60 reads left')
})

test('a number outside its bounds is read out as the bound (B4)', () => {
  render(<Meter label="a" max={60} now={61} spoken="" mark={0.2} />)
  render(<Meter label="b" max={60} now={-3} spoken="" mark={0.2} />)
  expect(screen.getByRole('meter', { name: 'a' })).toHaveAttribute('aria-valuenow', '60')
  expect(screen.getByRole('meter', { name: 'b' })).toHaveAttribute('aria-valuenow', '0')
})
