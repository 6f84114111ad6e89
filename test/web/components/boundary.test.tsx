import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { Boundary } from '../../../src/web/components/boundary.tsx'

test('when rendering fails there is a message, and a next step', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
  const Broken = () => {
    throw new Error('broken')
  }
  render(
    <Boundary>
      <Broken />
    </Boundary>,
  )
  expect(screen.getByRole('alert')).toHaveTextContent('Nothing was lost, and nothing was spent.')
  screen.getByRole('button', { name: 'Reload' }).click()
  expect(reload).toHaveBeenCalledOnce()
  expect(screen.getByRole('link')).toHaveAttribute('href', '/')
})
