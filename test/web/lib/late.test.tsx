import { act, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { late } from '../../../src/web/lib/late.ts'
import { signedInNetwork, stubFetch } from '../_network.ts'
import { openPage } from '../_page.tsx'

const GONE = new TypeError('Failed to fetch dynamically imported module')

/** A late file of an open sign-in page is gone. @param status of the page's own file then */
async function openAfter(status: number, typed = '') {
  const { user } = await openPage('/', await signedInNetwork('none'))
  const field = await screen.findByRole('textbox', { name: /^Organization id/ })
  if (typed !== '') await user.type(field, typed)
  stubFetch(() => Promise.resolve(new Response(null, { status })))
  return { field, reload: vi.spyOn(location, 'reload').mockImplementation(() => {}) }
}

test('a late file that a newer version has replaced reloads the page, at the address that it is given', async () => {
  const { reload } = await openAfter(404)
  void late(Promise.reject(GONE), '/callback?code=a&state=b')
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
  expect(location.pathname + location.search).toBe('/callback?code=a&state=b')
})

test('where a person has typed, a notice leaves the reload to them', async () => {
  const { field, reload } = await openAfter(404, '1001')
  void late(Promise.reject(GONE))
  expect(await screen.findByRole('alert')).toHaveTextContent('A new version is here')
  expect(field).toHaveValue('1001')
  expect(reload).not.toHaveBeenCalled()
  act(() => screen.getByRole('button', { name: 'Reload' }).click())
  expect(reload).toHaveBeenCalledTimes(1)
})

test('a page that was reloaded a moment ago does not reload itself again (attack 80)', async () => {
  const { reload } = await openAfter(404)
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([
    { type: 'reload' } as PerformanceNavigationTiming,
  ])
  vi.spyOn(performance, 'now').mockReturnValue(59_000)
  void late(Promise.reject(GONE))
  expect(await screen.findByRole('alert')).toHaveTextContent('A new version is here')
  expect(reload).not.toHaveBeenCalled()
})

test.each([200, 502])(
  'a file that is missing while the page’s own is answered with %i is out of reach',
  async (status) => {
    const { reload } = await openAfter(status)
    await expect(late(Promise.reject(GONE))).rejects.toMatchObject({ code: 'bff_unreachable', cause: GONE })
    expect(reload).not.toHaveBeenCalled()
  },
)
