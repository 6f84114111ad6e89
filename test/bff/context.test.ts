import { expect, test } from 'vitest'
import { createMemory, shared } from '../../src/bff/context.ts'

/** Work that counts how often it was begun and ends when told. */
function work() {
  const begun: { resolve: (value: string) => void; reject: (reason: Error) => void }[] = []
  const run = () => new Promise<string>((resolve, reject) => begun.push({ resolve, reject }))
  return { begun, run }
}

test('work under one name runs once for all who ask while it runs (RFC 9700 4.14.2)', async () => {
  const [memory, { begun, run }] = [createMemory(), work()]
  const asked = Array.from({ length: 100 }, () => shared(memory, 'refresh 1', run))
  begun[0]?.resolve('fresh')
  expect(new Set(await Promise.all(asked))).toEqual(new Set(['fresh']))
  expect(begun).toHaveLength(1)
})

test('when it is done it runs again, and nothing of it is kept (RFC 9700 4.14.2)', async () => {
  const [memory, { begun, run }] = [createMemory(), work()]
  const first = shared(memory, 'refresh 1', run)
  begun[0]?.resolve('one')
  expect(await first).toBe('one')
  expect(memory.flights.size).toBe(0)
  const second = shared(memory, 'refresh 1', run)
  begun[1]?.resolve('two')
  expect(await second).toBe('two')
})

test('when it fails all who wait are told, and the next one begins anew (RFC 9700 4.14.2)', async () => {
  const [memory, { begun, run }] = [createMemory(), work()]
  const asked = [1, 2, 3].map(() => shared(memory, 'refresh 1', run))
  begun[0]?.reject(new Error('no answer'))
  const ends = await Promise.allSettled(asked)
  expect(ends.map((end) => end.status === 'rejected' && end.reason.message)).toEqual(
    Array(3).fill('no answer'),
  )
  const again = shared(memory, 'refresh 1', run)
  begun[1]?.resolve('fresh')
  expect(await again).toBe('fresh')
})

test('another name, and another memory, is other work (RFC 9700 4.14.2)', async () => {
  const [one, two, { begun, run }] = [createMemory(), createMemory(), work()]
  const asked = [shared(one, 'refresh 1', run), shared(one, 'refresh 2', run), shared(two, 'refresh 1', run)]
  for (const [at, { resolve }] of begun.entries()) resolve(String(at))
  expect(await Promise.all(asked)).toEqual(['0', '1', '2'])
})
