import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { PROBLEMS, Problem, type ProblemCode } from '../../src/contract/problem.ts'
import { getOrganization } from '../../src/web/api.ts'
import { Notice } from '../../src/web/notice.tsx'
import { standIn } from './_bff.ts'

const codes = Object.keys(PROBLEMS) as ProblemCode[]
const WAITS = ['rate_limited', 'month_suspected', 'limit_unknown']

test.each(codes)('%s has words, and one next step or a wait that ends by itself', (code) => {
  render(<Notice problem={new Problem(code)} />)
  const notice = screen.getByRole('alert')
  expect(notice).toHaveTextContent(PROBLEMS[code].title)
  expect(notice.querySelectorAll('p')).toHaveLength(1)
  expect(screen.queryAllByRole('button')).toHaveLength(WAITS.includes(code) ? 0 : 1)
})

test('the next step is the one that means something where the notice stands', () => {
  const run = vi.fn<() => void>()
  render(
    <Notice problem={new Problem('upstream_down')} actions={{ again: { label: 'Again · free', run } }} />,
  )
  screen.getByRole('button', { name: 'Again · free' }).click()
  expect(run).toHaveBeenCalledOnce()
})

test('reasons, detail and the support id are shown (7)', async () => {
  standIn({
    failures: {
      'GET /api/x': {
        code: 'limit_unknown',
        options: { reasons: ['It did not say.'], detail: 'Which limit.', retryInMs: 5 },
      },
    },
  })
  const problem = await getOrganization('/api/x', { spend: true }).catch((error: Problem) => error)
  render(<Notice problem={problem as Problem} />)
  const notice = screen.getByRole('alert')
  expect(notice).toHaveTextContent('Why we think so: It did not say.')
  expect(notice).toHaveTextContent('Which limit.')
  expect(notice).toHaveTextContent('Support id support-77')
})

test('a lost address leads to the start page', () => {
  history.replaceState(null, '', '/nowhere')
  render(<Notice problem={new Problem('not_found')} />)
  screen.getByRole('button', { name: 'Go to the start page' }).click()
  expect(location.pathname).toBe('/')
})
