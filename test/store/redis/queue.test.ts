import { expect, test } from 'vitest'
import { Queue } from '../../../src/store/redis/queue.ts'

test('works of one name run one after the other, even after a failure, and those of another do not wait', async () => {
  const queue = new Queue()
  const done: string[] = []
  let fail = () => {}
  const first = queue.run(
    'a',
    () => new Promise((_, reject) => (fail = () => reject(new RangeError('ours')))),
  )
  const second = queue.run('a', async () => void done.push('second'))
  await queue.run('b', async () => void done.push('other'))
  expect(done).toEqual(['other'])
  fail()
  await expect(first).rejects.toThrow(RangeError)
  await second
  expect(done).toEqual(['other', 'second'])
})

test('a work waits for the last of its name, and starts at once where none is left', async () => {
  const queue = new Queue()
  const done: string[] = []
  let end = () => {}
  const first = queue.run('a', async () => void done.push('first'))
  const second = queue.run('a', () => new Promise<void>((resolve) => (end = resolve)))
  await first
  const third = queue.run('a', async () => void done.push('third'))
  await new Promise((resolve) => setImmediate(resolve))
  expect(done).toEqual(['first'])
  end()
  await Promise.all([second, third])
  const fourth = queue.run('a', async () => void done.push('fourth'))
  expect(done).toEqual(['first', 'third', 'fourth'])
  await fourth
})
