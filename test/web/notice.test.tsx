import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { PROBLEMS, Problem, type ProblemCode } from '../../src/contract/problem.ts'
import { Notice } from '../../src/web/notice.tsx'

const codes = Object.keys(PROBLEMS) as ProblemCode[]
const WAITS = ['rate_limited', 'month_suspected', 'limit_unknown']

test.each(codes)('%s has a message, and one next step or a wait that ends by itself', (code) => {
  render(<Notice problem={new Problem(code)} />)
  const notice = screen.getByRole('alert')
  expect(notice).toHaveTextContent(PROBLEMS[code].title)
  expect(notice.querySelectorAll('p')).toHaveLength(1)
  expect(screen.queryAllByRole('button')).toHaveLength(WAITS.includes(code) ? 0 : 1)
})

test('the next step is the one that the place of the notice gives it', () => {
  const run = vi.fn<() => void>()
  render(
    <Notice problem={new Problem('upstream_down')} actions={{ again: { label: 'Again · free', run } }} />,
  )
  screen.getByRole('button', { name: 'Again · free' }).click()
  expect(run).toHaveBeenCalledOnce()
})

test('reasons, detail and the support id are shown (7)', () => {
  const problem = new Problem('limit_unknown', {
    reasons: [{ code: 'limit_not_named' }],
    detail: 'Which limit.',
    supportId: 'support-77',
  })
  render(<Notice problem={problem} />)
  const notice = screen.getByRole('alert')
  expect(notice).toHaveTextContent('Why we think so: The answer does not name the limit that is reached.')
  expect(notice).toHaveTextContent('Which limit.')
  expect(notice).toHaveTextContent('Support id support-77')
})

test('a network address with too many attempts has the time to wait (RFC 9110 10.2.3)', () => {
  render(<Notice problem={new Problem('too_many_attempts', { retryInMs: 480_000 })} />)
  expect(screen.getByRole('alert')).toHaveTextContent('You can try again in 8 minutes.')
})

test('an address with nothing behind it leads to the start page', () => {
  history.replaceState(null, '', '/nowhere')
  render(<Notice problem={new Problem('not_found')} />)
  screen.getByRole('button', { name: 'Go to the start page' }).click()
  expect(location.pathname).toBe('/')
})
