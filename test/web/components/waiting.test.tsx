import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Waiting } from '../../../src/web/components/waiting.tsx'

test('what is waited for is announced', () => {
  render(<Waiting words="Signing out…" />)
  expect(screen.getByRole('status')).toHaveTextContent('Signing out…')
})
