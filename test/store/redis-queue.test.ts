import { expect, test } from 'vitest'
import { Queue } from '../../src/store/redis-queue.ts'

test('works of one name run one after the other, also after one that failed, and those of another do not wait', async () => {
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
