import { expect, test } from 'vitest'
import { ConcurrencyLimit } from '../../../src/bff/service/concurrency-limit.ts'

const never = new AbortController().signal

function open(running: number, waiting: number) {
  const limit = new ConcurrencyLimit({ running, waiting })
  const started: string[] = []
  const start = (name: string, address = name, signal = never) => {
    let end: () => void = () => {}
    const work = () => {
      started.push(name)
      return new Promise<string>((resolve) => (end = () => resolve(name)))
    }
    const result = limit.run(address, signal, work)
    result.catch(() => {})
    return { result, end: () => end() }
  }
  return { start, started }
}

const iteration = () => new Promise(setImmediate)

test('so many run at once, and the next one when one has ended, the first that asked first', async () => {
  const { start, started } = open(2, 4)
  const [a, , c] = ['a', 'b', 'c', 'd'].map((name) => start(name))
  expect(started).toEqual(['a', 'b'])
  a?.end()
  await iteration()
  expect(started).toEqual(['a', 'b', 'c'])
  c?.end()
  await iteration()
  expect(started).toEqual(['a', 'b', 'c', 'd'])
  expect(await a?.result).toBe('a')
})

test('one address has half of the room, so that one that hangs leaves some for the others (attacks 67)', async () => {
  const { start, started } = open(4, 4)
  const hanging = ['1', '2', '3', '4'].map((name) => start(name, '/token'))
  const busy = { name: 'BusyError', code: 'UPSTREAM_BUSY', message: 'too many requests are waiting' }
  await expect(start('5', '/token').result).rejects.toMatchObject(busy)
  const [a, b, c] = ['a', 'b', 'c', 'd'].map((name) => start(name))
  expect(started).toEqual(['1', '2', 'a', 'b'])
  await expect(start('e').result).rejects.toMatchObject(busy)
  hanging[0]?.end()
  await iteration()
  expect(started.at(-1)).toBe('3')
  a?.end()
  await iteration()
  expect(started.at(-1)).toBe('c')
  b?.end()
  c?.end()
  await iteration()
  expect(started).toEqual(['1', '2', 'a', 'b', '3', 'c', 'd'])
})

test('work that fails makes room as well', async () => {
  const limit = new ConcurrencyLimit({ running: 2, waiting: 2 })
  const fail = () => limit.run('a', never, () => Promise.reject(new Error('it failed')))
  for (let round = 0; round < 5; round += 1) await expect(fail()).rejects.toThrow('it failed')
})

test('a wait that ends too late is refused without a start, and leaves the line to the others (8.3)', async () => {
  const { start, started } = open(2, 4)
  const first = start('a', '/a')
  const late = new AbortController()
  const second = start('b', '/a', late.signal)
  const third = start('c', '/a')
  late.abort()
  await expect(second.result).rejects.toMatchObject({
    code: 'UPSTREAM_BUSY',
    message: 'no room for the request in time',
    retryInMs: 2000,
  })
  start('d', '/a')
  first.end()
  await iteration()
  expect(started).toEqual(['a', 'c'])
  third.end()
  await iteration()
  expect(started).toEqual(['a', 'c', 'd'])
})
