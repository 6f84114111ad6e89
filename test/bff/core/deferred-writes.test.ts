import { expect, test } from 'vitest'
import { bestEffort, untilStored } from '../../../src/bff/core/context.ts'
import { Problem } from '../../../src/contract/problem.ts'
import { createContext } from '../_context.ts'

const UNAVAILABLE = new Problem('store_unavailable')

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

test('a failure of the store is ignored, and a defect of our own is thrown (8.3)', async () => {
  expect(await bestEffort(Promise.resolve('done'))).toBe('done')
  expect(await bestEffort(Promise.reject(UNAVAILABLE))).toBeUndefined()
  await expect(bestEffort(Promise.reject(new Problem('signed_out')))).rejects.toThrow(Problem)
  await expect(bestEffort(Promise.reject(new TypeError('a defect')))).rejects.toThrow(TypeError)
})
