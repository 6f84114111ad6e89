import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { atTurnEnd } from '../../src/bff/turn-end.ts'

test('what comes in one turn is worked on together at its end, in its order, and what comes meanwhile in the next one', async () => {
  const worked: string[][] = []
  const add = atTurnEnd<string>((items) => {
    worked.push([...items])
    if (worked.length === 1) add('c')
  })
  add('a')
  add('b')
  expect(worked).toEqual([])
  await nextTurn()
  expect(worked).toEqual([['a', 'b']])
  await nextTurn()
  expect(worked).toEqual([['a', 'b'], ['c']])
  await nextTurn()
  expect(worked).toHaveLength(2)
})
