import { setImmediate as nextIteration } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { atIterationEnd } from '../../../src/bff/core/iteration-end.ts'

test('what comes in one iteration of the event loop is worked on together at its end, in its order, and what comes meanwhile in the next one', async () => {
  const worked: string[][] = []
  const add = atIterationEnd<string>((items) => {
    worked.push([...items])
    if (worked.length === 1) add('c')
  })
  add('a')
  add('b')
  expect(worked).toEqual([])
  await nextIteration()
  expect(worked).toEqual([['a', 'b']])
  await nextIteration()
  expect(worked).toEqual([['a', 'b'], ['c']])
  await nextIteration()
  expect(worked).toHaveLength(2)
})
