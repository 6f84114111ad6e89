import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { followLink, navigate, usePathname, useTitle } from '../../../src/web/lib/router.ts'

function Probe() {
  useTitle('Probe')
  return (
    <>
      <p>{usePathname()}</p>
      <a href="/organizations/2" onClick={followLink}>
        go
      </a>
    </>
  )
}

test('the page follows links, navigation and the back button without loading again', () => {
  history.replaceState(null, '', '/')
  render(<Probe />)
  expect(document.title).toBe('Probe · Plimsoll')
  expect(fireEvent.click(screen.getByRole('link'))).toBe(false)
  expect(screen.getByText('/organizations/2')).toBeVisible()
  act(() => navigate('/organizations/3', { replace: true }))
  expect(screen.getByText('/organizations/3')).toBeVisible()
  act(() => {
    history.replaceState(null, '', '/')
    dispatchEvent(new PopStateEvent('popstate'))
  })
  expect(screen.getByText('/')).toBeVisible()
})

test('the browser handles a click that asks for a new tab', () => {
  history.replaceState(null, '', '/')
  render(<Probe />)
  expect(fireEvent.click(screen.getByRole('link'), { ctrlKey: true })).toBe(true)
  expect(screen.getByText('/')).toBeVisible()
})
