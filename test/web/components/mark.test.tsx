import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Mark } from '../../../src/web/components/mark.tsx'

test('the mark is a drawing hidden from screen readers', () => {
  const { container } = render(<Mark size={40} />)
  const svg = container.querySelector('svg')
  expect(svg).toHaveAttribute('aria-hidden', 'true')
  expect(svg).toHaveAttribute('width', '40')
  expect(container.innerHTML).not.toContain('style=')
})
