import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { placeOf } from '../../../src/contract/page.ts'
import { followLink, navigate, usePathname, useTitle } from '../../../src/web/lib/router.ts'

test.each([
  ['/', { name: 'home' }],
  ['/sessions', { name: 'sessions' }],
  ['/ledger', { name: 'ledger' }],
  ['/learnt', { name: 'learnt' }],
  ['/ledger/', { name: 'unknown' }],
  ['/callback', { name: 'callback' }],
  ['/guide', { name: 'guide' }],
  ['/organizations/1001', { name: 'organization', id: '1001' }],
  ['/organizations/9007199254740993/', { name: 'organization', id: '9007199254740993' }],
  ['/organizations/0', { name: 'unknown' }],
  ['/organizations/-1', { name: 'unknown' }],
  ['/organizations/%31', { name: 'unknown' }],
  ['/organizations', { name: 'organizations' }],
  ['/organizations/', { name: 'unknown' }],
  ['/organizations/1/members', { name: 'unknown' }],
])('%s is an address of the page', (path, place) => {
  expect(placeOf(path)).toEqual(place)
})

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
