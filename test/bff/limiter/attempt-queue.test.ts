import { expect, test } from 'vitest'
import { AttemptQueue } from '../../../src/bff/limiter/attempt-queue.ts'

/** Enters, and notes the order in which attempts may run. */
function entering(queue: AttemptQueue) {
  const running: string[] = []
  const enter = async (name: string, label: string) => {
    const leave = await queue.enter(name)
    running.push(label)
    return leave
  }
  return { running, enter }
}

test('two run at once, and the others in the order in which they came (ASVS 2.4.1)', async () => {
  const { running, enter } = entering(new AttemptQueue(2, 10))
  const entered = ['a', 'b', 'c', 'd'].map((label) => enter('one', label))
  const [leaveA, leaveB] = await Promise.all(entered.slice(0, 2))
  expect(running).toEqual(['a', 'b'])
  leaveB?.()
  const leaveC = await entered[2]
  expect(running).toEqual(['a', 'b', 'c'])
  leaveA?.()
  leaveC?.()
  ;(await entered[3])?.()
  expect(running).toEqual(['a', 'b', 'c', 'd'])
})

test('names do not wait for each other (ASVS 2.4.1)', async () => {
  const { running, enter } = entering(new AttemptQueue(1, 10))
  await Promise.all([enter('one', 'a'), enter('other', 'b')])
  expect(running).toEqual(['a', 'b'])
})

test('beyond so many none waits, and after the last has left there is room again (ASVS 2.4.1)', async () => {
  const queue = new AttemptQueue(1, 2)
  const first = await queue.enter('one')
  const waiting = [queue.enter('one'), queue.enter('one')]
  expect(await queue.enter('one')).toBeUndefined()
  first?.()
  for (const next of waiting) (await next)?.()
  expect(await queue.enter('one')).toBeDefined()
})

test('an attempt that ends makes room for one, while others run (ASVS 2.4.1)', async () => {
  const { running, enter } = entering(new AttemptQueue(2, 10))
  const [leaveA] = [await enter('one', 'a'), await enter('one', 'b')]
  leaveA?.()
  const leaveC = await enter('one', 'c')
  const last = enter('one', 'd')
  await new Promise(setImmediate)
  expect(running).toEqual(['a', 'b', 'c'])
  leaveC?.()
  await last
  expect(running).toEqual(['a', 'b', 'c', 'd'])
})
