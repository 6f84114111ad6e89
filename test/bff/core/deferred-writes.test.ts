import { expect, test } from 'vitest'
import { briefly, untilStored } from '../../../src/bff/core/deferred-writes.ts'
import { Problem } from '../../../src/contract/problem.ts'
import { createContext } from '../_context.ts'

const UNAVAILABLE = new Problem('store_unavailable')

test('an answer waits for a write, and for one that takes long 150 ms, while it goes on (8.3)', async () => {
  const { context } = createContext()
  const waits: number[] = []
  const wait = async (ms: number) => void waits.push(ms)
  let end = () => {}
  const slow = new Promise<string>((resolve) => {
    end = () => resolve('written')
  })
  expect(await briefly(context, Promise.resolve('written'))).toBe('written')
  expect(await briefly({ ...context, wait }, slow)).toBeUndefined()
  expect(waits).toEqual([150])
  expect(context.memory.background.size).toBe(1)
  end()
  await Promise.all(context.memory.background)
  expect(context.memory.background.size).toBe(0)
})

test('a write is tried again only where the store has failed (8.3)', async () => {
  const { context } = createContext()
  const patient = { ...context, wait: () => Promise.resolve() }
  const tries = async (errors: Error[]) => {
    let times = 0
    const end = await untilStored(patient, () => {
      const error = errors[times]
      times += 1
      return error === undefined ? Promise.resolve() : Promise.reject(error)
    }).then(
      () => 'written',
      (error: Error) => error,
    )
    return [times, end]
  }
  expect(await tries([])).toEqual([1, 'written'])
  expect(await tries([UNAVAILABLE, UNAVAILABLE])).toEqual([3, 'written'])
  expect(await tries(Array.from({ length: 9 }, () => UNAVAILABLE))).toEqual([7, UNAVAILABLE])
  const defect = new TypeError('a defect')
  expect(await tries([UNAVAILABLE, defect])).toEqual([2, defect])
})
