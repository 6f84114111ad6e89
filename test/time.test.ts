import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTime, waitLast } from './kit/clock.ts'

test('time passes to the end of each wait in turn, and stands still when the work has ended', async () => {
  const { wait, during, passedMs } = createTime()
  const ended: [string, number][] = []
  const after = async (name: string, ms: number) => {
    await wait(ms)
    ended.push([name, passedMs()])
  }
  await during(() => Promise.all([after('day', 86_400_000), after('second', 1000), after('minute', 60_000)]))
  expect(ended).toEqual([
    ['second', 1000],
    ['minute', 60_000],
    ['day', 86_400_000],
  ])
  void wait(5)
  await delay(20)
  expect(passedMs()).toBe(86_400_000)
})

test('a wait does not end before work in the event loop, or work that holds time', async () => {
  const { wait, during, hold } = createTime()
  const steps: string[] = []
  const work = async () => {
    for (let iterations = 0; iterations < 50; iterations += 1)
      await new Promise((resolve) => setImmediate(resolve))
    await hold(() => delay(20))
    steps.push('work')
  }
  await during(() => Promise.all([wait(1).then(() => steps.push('wait')), work()]))
  expect(steps).toEqual(['work', 'wait'])
})

test('a wait in real time ends after the due work, also if the process had no time for it', async () => {
  const steps: string[] = []
  const waits = Promise.all([1, 5, 5].map((ms) => waitLast(ms).then(() => steps.push('wait'))))
  const busy = performance.now() + 50
  while (performance.now() < busy);
  const iterate = async () => {
    for (let iterations = 0; iterations < 20; iterations += 1)
      await new Promise((resolve) => setImmediate(resolve))
    steps.push('work')
  }
  await Promise.all([waits, iterate()])
  expect(steps).toEqual(['work', 'wait', 'wait', 'wait'])
})
