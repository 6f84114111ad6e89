import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { asProblem } from '../../../src/contract/problem.ts'
import { Notice } from '../../../src/web/components/notice.tsx'
import { late } from '../../../src/web/lib/late.ts'
import { signedInNetwork, stubFetch } from '../_network.ts'
import { openHome, openPage, quotaOfPage } from '../_page.tsx'
import { useUi } from '../../../src/web/lib/ui.ts'
import { followLink, loadAnew, navigate, usePathname, useTitle } from '../../../src/web/lib/router.ts'
import type { ReasonCode } from '../../../src/contract/reason.ts'
import { reasonWords } from '../../../src/web/lib/words.ts'
import { text } from '../../../src/web/text/text.ts'

const GONE = new TypeError('Failed to fetch dynamically imported module')

/** A late file of an open sign-in page is gone. @param status of the page's own file then */
async function openAfter(status: number, typed = '') {
  const { user } = await openPage('/', await signedInNetwork('none'))
  const field = await screen.findByRole('textbox', { name: /^Organization id/ })
  if (typed !== '') await user.type(field, typed)
  stubFetch(() => Promise.resolve(new Response(null, { status })))
  return { field, reload: vi.spyOn(location, 'reload').mockImplementation(() => {}) }
}

test('a late file that a newer version has replaced reloads the page, where it is', async () => {
  const { reload } = await openAfter(404)
  history.replaceState(null, '', '/organizations/1001?a=b')
  void late(Promise.reject(GONE))
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
  expect(location.pathname + location.search).toBe('/organizations/1001?a=b')
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
  history.replaceState({ 'plimsoll.reloaded': Date.now() - 59_000 }, '')
  void late(Promise.reject(GONE))
  expect(await screen.findByRole('alert')).toHaveTextContent('A new version is here')
  expect(reload).not.toHaveBeenCalled()
})

test.each([
  [200, 'This page no longer works', 'Reload'],
  [502, 'Plimsoll itself cannot be reached', 'Try again · free'],
])(
  'a file that is missing while the page’s own is answered with %i: the notice is "%s", with "%s"',
  async (status, title, step) => {
    const { reload } = await openAfter(status)
    const problem = await late(Promise.reject(GONE)).catch(asProblem)
    expect(problem).toMatchObject({ cause: GONE })
    expect(reload).not.toHaveBeenCalled()
    render(<Notice problem={problem} again={() => {}} />)
    expect(screen.getByRole('alert')).toHaveTextContent(title)
    expect(screen.getByRole('button', { name: step })).toBeVisible()
  },
)

test('a page that loads anew answers nothing meanwhile, unless the browser is stopped: after 10 s (D3)', () => {
  vi.useFakeTimers()
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
  const { documentElement: root } = document
  loadAnew('/', null)
  loadAnew('/ledger', null)
  vi.advanceTimersByTime(9000)
  expect([root.inert, location.pathname, reload.mock.calls.length]).toEqual([true, '/', 1])
  vi.advanceTimersByTime(1000)
  expect(root.inert).toBe(false)
})

test('the store of the page holds no data of the organization (4.4)', async () => {
  await openHome()
  await expect.poll(quotaOfPage).toBeDefined()
  expect(JSON.stringify(useUi.getState())).not.toMatch(/Harbour Rope Works|1001|snapshot/)
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
  act(() => navigate('/organizations/3'))
  expect(screen.getByText('/organizations/3')).toBeVisible()
  act(() => {
    history.replaceState(null, '', '/')
    dispatchEvent(new PopStateEvent('popstate'))
  })
  expect(screen.getByText('/')).toBeVisible()
})

test('a page that the back button opens stays where it was, also where a link had led to it before', () => {
  history.replaceState(null, '', '/')
  render(<Probe />)
  const scroll = vi.spyOn(globalThis, 'scrollTo')
  onTestFinished(() => scroll.mockRestore())
  const goTo = (path: string): void => {
    history.replaceState(null, '', path)
    dispatchEvent(new PopStateEvent('popstate'))
  }
  act(() => {
    navigate('/organizations/2')
    goTo('/')
  })
  act(() => goTo('/organizations/2'))
  expect(screen.getByText('/organizations/2')).toBeVisible()
  expect(scroll).not.toHaveBeenCalled()
  act(() => navigate('/organizations/3'))
  expect(scroll).toHaveBeenCalledExactlyOnceWith(0, 0)
})

test('the browser handles a click that asks for a new tab', () => {
  history.replaceState(null, '', '/')
  render(<Probe />)
  expect(fireEvent.click(screen.getByRole('link'), { ctrlKey: true })).toBe(true)
  expect(screen.getByText('/')).toBeVisible()
})

test('each reason has its own sentence (8.4.3)', () => {
  const codes = Object.keys(text().reason).filter((name): name is ReasonCode => name !== 'whyWeThinkSo')
  const sentences = codes.map((code) => reasonWords({ code }))
  expect(sentences.filter((sentence) => !sentence.endsWith('.'))).toEqual([])
  expect(new Set(sentences).size).toBe(codes.length)
})

test('a reason has its numbers, and the age of a reading in words (8.3)', () => {
  expect(reasonWords({ code: 'month_used_by_app', count: 98, limit: 100 })).toBe(
    'Of the 100 requests of the month 98 may have been sent by this app.',
  )
  const byReading = { count: 96, limit: 100, since: 2, age_ms: 7_200_000 }
  expect(reasonWords({ code: 'month_used_by_reading', ...byReading })).toBe(
    'Your plan page showed 96 of 100 used 2 hours ago; 2 more may have been sent since.',
  )
  expect(reasonWords({ code: 'reserved_for_sign_in', count: 2 })).toBe(
    'Plimsoll keeps the last 2 requests for signing in.',
  )
  for (const code of ['reserved_for_sign_in', 'reserved_for_person'] as const)
    expect(reasonWords({ code, count: 1 })).toMatch(/^Plimsoll keeps the last 1 request for /)
})
