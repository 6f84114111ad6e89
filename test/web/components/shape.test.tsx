import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Shape } from '../../../src/web/components/shape.tsx'

test.each(['circle', 'triangle', 'square', 'diamond'] as const)(
  'a %s is drawn, and hidden from screen readers: a word is beside it (D5)',
  (name) => {
    const { container } = render(<Shape of={name} />)
    expect(container.querySelector('svg')).toHaveAttribute('aria-hidden', 'true')
    expect(container.querySelector('path')?.getAttribute('d')).toMatch(/^M[\d.]+ /)
  },
)
