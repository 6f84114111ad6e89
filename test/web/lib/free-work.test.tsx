import { act, renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { Problem } from '../../../src/contract/problem.ts'
import { useFreeWork } from '../../../src/web/lib/free-work.ts'
import { gate } from '../_network.ts'

test('one press runs at a time, and a sentence reports it once it is confirmed', async () => {
  const after = vi.fn<() => Promise<void>>(async () => {})
  const { result } = renderHook(() => useFreeWork(after))
  const { closed, open } = gate()
  const work = vi.fn<() => Promise<void>>(() => closed)
  act(() => void result.current.run(work, () => 'Done.'))
  expect(result.current.busy).toBe(true)
  await act(() => result.current.run(work, () => 'Done twice.'))
  await act(async () => open())
  expect(work).toHaveBeenCalledTimes(1)
  expect(after).toHaveBeenCalledTimes(1)
  expect(result.current).toMatchObject({ busy: false, done: 'Done.', problem: undefined })
})

test('a failure stays until the next press, and confirms nothing', async () => {
  const after = vi.fn<() => Promise<void>>(async () => {})
  const { result } = renderHook(() => useFreeWork(after))
  await act(() =>
    result.current.run(
      () => Promise.reject(new Problem('not_confirmed')),
      () => 'Done.',
    ),
  )
  expect(result.current).toMatchObject({ busy: false, done: '', problem: { code: 'not_confirmed' } })
  expect(after).not.toHaveBeenCalled()
  await act(() =>
    result.current.run(
      async () => {},
      () => 'Done.',
    ),
  )
  expect(result.current).toMatchObject({ done: 'Done.', problem: undefined })
})
