import { act, render, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { Problem, type ProblemCode, PROBLEMS } from '../../../src/contract/problem.ts'
import { Boundary } from '../../../src/web/components/centre.tsx'
import { Notice } from '../../../src/web/components/notice.tsx'
import { text } from '../../../src/web/text/text.ts'
import { hold, signedInNetwork } from '../_network.ts'
import { openHome, openPage } from '../_page.tsx'

const codes = Object.keys(PROBLEMS) as ProblemCode[]
const WAITS = ['rate_limited', 'month_suspected', 'limit_unknown']

test.each(codes)('%s has a message, and one next step (not to the same page) or a wait that ends', (code) => {
  history.replaceState(null, '', '/')
  render(<Notice problem={new Problem(code)} />)
  const notice = screen.getByRole('alert')
  expect(notice).toHaveTextContent(text().problem[code].title)
  expect(notice.querySelectorAll('p')).toHaveLength(1)
  expect(screen.queryAllByRole('button')).toHaveLength(WAITS.includes(code) ? 0 : 1)
  expect(screen.queryByRole('button', { name: 'Go to the start page' })).toBeNull()
})

test('the caller of a notice can give its next step', () => {
  const run = vi.fn<() => void>()
  render(
    <Notice problem={new Problem('upstream_down')} actions={{ again: { label: 'Again · free', run } }} />,
  )
  screen.getByRole('button', { name: 'Again · free' }).click()
  expect(run).toHaveBeenCalledOnce()
})

test('reasons, the fault and the support id are shown (7)', () => {
  const problem = new Problem('limit_unknown', {
    reasons: [{ code: 'limit_not_named' }],
    fault: 'unknown_parameter',
    supportId: 'support-77',
  })
  render(<Notice problem={problem} />)
  const notice = screen.getByRole('alert')
  expect(notice).toHaveTextContent('Why we think so: The answer does not name the limit that is reached.')
  expect(notice).toHaveTextContent('Support id support-77 unknown_parameter')
})

test('after too many attempts from a network address the notice says how long to wait (RFC 9110 10.2.3)', () => {
  render(<Notice problem={new Problem('too_many_attempts', { retryInMs: 480_000 })} />)
  expect(screen.getByRole('alert')).toHaveTextContent('You can try again in 8 minutes.')
})

test('the wait counts down without being read out, and its line goes at the end (RFC 9110 10.2.3)', async () => {
  vi.useFakeTimers()
  const { rerender } = render(<Notice problem={new Problem('too_many_attempts', { retryInMs: 180_000 })} />)
  // A change in an alert would be read out; one in a timer is not.
  expect(screen.getByRole('timer')).toHaveTextContent('You can try again in 3 minutes.')
  await act(() => vi.advanceTimersByTimeAsync(65_000))
  expect(screen.getByRole('timer')).toHaveTextContent('You can try again in 2 minutes.')
  rerender(<Notice problem={new Problem('too_many_attempts', { retryInMs: 240_000 })} />)
  expect(screen.getByRole('timer')).toHaveTextContent('You can try again in 4 minutes.')
  await act(() => vi.advanceTimersByTimeAsync(241_000))
  expect(screen.queryByRole('timer')).toBeNull()
  expect(screen.getByRole('alert')).toHaveTextContent('Too many attempts came from your network')
})

test('a notice about an unknown address leads to the start page', () => {
  history.replaceState(null, '', '/nowhere')
  render(<Notice problem={new Problem('not_found')} />)
  screen.getByRole('button', { name: 'Go to the start page' }).click()
  expect(location.pathname).toBe('/')
})

test('words of the caller replace those of the code, and the heading can have the focus', () => {
  const next = { label: 'Start again', run: vi.fn<() => void>() }
  const words = { title: 'No access', message: 'It was denied.' }
  render(<Notice problem={new Problem('forged_request')} words={words} next={next} focused />)
  expect(screen.getByRole('heading', { name: 'No access' })).toHaveFocus()
  expect(screen.getByRole('alert')).toHaveTextContent('It was denied.')
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Start again'])
})

test('after "Try again" by keyboard the focus is on the button that runs (WCAG 2.4.3)', async () => {
  const { network, user } = await openHome()
  network.fixture.intercept(() => Promise.reject(new DOMException('late', 'TimeoutError')))
  await user.click(screen.getByRole('button', { name: /^Refresh/ }))
  const again = await screen.findByRole('button', { name: /^Try again ·/ })
  network.fixture.intercept(undefined)
  const answer = hold(network)
  act(() => again.focus())
  await user.keyboard('{Enter}')
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  expect(screen.getByRole('button', { name: /^Reading…/ })).toHaveFocus()
  answer()
  expect(await screen.findByText('cost 1 request')).toBeVisible()
  expect(screen.getByRole('button', { name: /^Refresh/ })).toHaveFocus()
})

test('where no button runs, the focus stays near the notice that has gone (WCAG 2.4.3)', async () => {
  const network = await signedInNetwork()
  network.cut.add('GET /bff/sessions')
  const { user } = await openPage('/sessions', network)
  const again = await screen.findByRole('button', { name: 'Try again · free' })
  network.cut.clear()
  act(() => again.focus())
  await user.keyboard('{Enter}')
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  await waitFor(() => expect(document.body).not.toHaveFocus())
  expect(screen.getByRole('main')).toContainElement(document.activeElement as HTMLElement)
})

test('when rendering fails the page shows a message and a next step', () => {
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
  expect(within(screen.getByRole('main')).getByRole('alert')).toHaveTextContent(
    /^An error stopped it\. Nothing was lost/,
  )
  screen.getByRole('button', { name: 'Reload' }).click()
  expect(reload).toHaveBeenCalledOnce()
  expect(screen.getByRole('link')).toHaveAttribute('href', '/')
})

test('the first stop of the page leads past the header to its content, and the address stays', async () => {
  const { user } = await openPage('/ledger#days')
  expect(await screen.findByRole('heading', { level: 1, name: 'Ledger' })).toHaveFocus()
  document.querySelector<HTMLElement>('body')?.focus()
  screen.getByRole('heading', { level: 1 }).blur()
  await user.tab()
  expect(screen.getByRole('link', { name: 'Skip to content' })).toHaveFocus()
  await user.keyboard('{Enter}')
  expect(screen.getByRole('main')).toHaveFocus()
  expect(location.hash).toBe('#days')
})

test.each(['/', '/ledger', '/learnt', '/sessions', '/organizations/2002', '/nowhere', '/callback'])(
  'at %s the page has a main element, which the link names, a main heading, and a header or a footer',
  async (path) => {
    await openPage(path, path === '/nowhere' ? await signedInNetwork('none') : undefined)
    const frame = () => [...screen.queryAllByRole('banner'), ...screen.queryAllByRole('contentinfo')]
    await waitFor(() => expect(frame()).toHaveLength(1))
    expect(screen.getByRole('main')).toHaveAttribute('id', 'main')
    expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1)
  },
)
