import { expect, test } from 'vitest'
import { bestEffort, inBackground, serviceNowMs, shareWork } from '../../../src/bff/core/context.ts'
import { Problem } from '../../../src/contract/problem.ts'
import { createContext, newMemory, START_MS } from '../_context.ts'

/** Work that counts its starts and ends on command. */
function work() {
  const started: { resolve: (value: string) => void; reject: (reason: Error) => void }[] = []
  const run = () => new Promise<string>((resolve, reject) => started.push({ resolve, reject }))
  return { started, run }
}

test('work under one name runs once for all callers while it runs (RFC 9700 4.14.2)', async () => {
  const [memory, { started, run }] = [newMemory(), work()]
  const asked = Array.from({ length: 100 }, () => shareWork(memory, 'refresh 1', run))
  started[0]?.resolve('fresh')
  expect(new Set(await Promise.all(asked))).toEqual(new Set(['fresh']))
  expect(started).toHaveLength(1)
})

test('after its end it runs again (RFC 9700 4.14.2)', async () => {
  const [memory, { started, run }] = [newMemory(), work()]
  const first = shareWork(memory, 'refresh 1', run)
  started[0]?.resolve('one')
  expect(await first).toBe('one')
  expect(memory.sharedWork.size).toBe(0)
  const second = shareWork(memory, 'refresh 1', run)
  started[1]?.resolve('two')
  expect(await second).toBe('two')
})

test('when it fails all callers get the error, and the next one starts again (RFC 9700 4.14.2)', async () => {
  const [memory, { started, run }] = [newMemory(), work()]
  const asked = [1, 2, 3].map(() => shareWork(memory, 'refresh 1', run))
  started[0]?.reject(new Error('no answer'))
  const ends = await Promise.allSettled(asked)
  expect(ends.map((end) => end.status === 'rejected' && end.reason.message)).toEqual(
    Array(3).fill('no answer'),
  )
  const again = shareWork(memory, 'refresh 1', run)
  started[1]?.resolve('fresh')
  expect(await again).toBe('fresh')
})

test('work is shared by name, within one memory (RFC 9700 4.14.2)', async () => {
  const [one, two, { started, run }] = [newMemory(), newMemory(), work()]
  const asked = [
    shareWork(one, 'refresh 1', run),
    shareWork(one, 'refresh 2', run),
    shareWork(two, 'refresh 1', run),
  ]
  for (const [at, { resolve }] of started.entries()) resolve(String(at))
  expect(await Promise.all(asked)).toEqual(['0', '1', '2'])
})

test('work in the background is waited for until it has ended, and its failure is its own (7)', async () => {
  const [memory, { started, run }] = [newMemory(), work()]
  const [one, two] = [inBackground(memory, run()), inBackground(memory, run())]
  let ended = 0
  const waiting = Promise.all([...memory.background].map((each) => each.then(() => (ended += 1))))
  await new Promise(setImmediate)
  expect([memory.background.size, ended]).toEqual([2, 0])
  started[0]?.resolve('done')
  expect(await one).toBe('done')
  started[1]?.reject(new Error('no answer'))
  await expect(two).rejects.toThrow('no answer')
  await waiting
  expect([memory.background.size, ended]).toEqual([0, 2])
})

test("the service's time is local time until an answer shows how far its clock is off (2.2)", () => {
  const { context } = createContext()
  expect(serviceNowMs(context)).toBe(START_MS)
  context.memory.clock = { lowMs: 5000, highMs: 6000 }
  expect(serviceNowMs(context)).toBe(START_MS + 5000)
})

test('a failure of the store is ignored, and a defect of our own is thrown (8.3)', async () => {
  expect(await bestEffort(Promise.resolve('done'))).toBe('done')
  expect(await bestEffort(Promise.reject(new Problem('store_unavailable')))).toBeUndefined()
  await expect(bestEffort(Promise.reject(new Problem('signed_out')))).rejects.toThrow(Problem)
  await expect(bestEffort(Promise.reject(new TypeError('a defect')))).rejects.toThrow(TypeError)
})
