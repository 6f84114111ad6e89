import { setImmediate as nextIteration } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Watchers } from '../../src/store/engine/watchers.ts'

function observed() {
  const seen: string[] = []
  const watchers = new Watchers(
    () => seen.push('begin'),
    () => seen.push('end'),
  )
  return { seen, watchers }
}

test('the first begins and the last ends, however often one is ended', () => {
  const { seen, watchers } = observed()
  const [endOne, endOther] = [watchers.add([], () => {}), watchers.add([], () => {})]
  endOne()
  expect([seen, watchers.isAny]).toEqual([['begin'], true])
  endOther()
  expect([seen, watchers.isAny]).toEqual([['begin', 'end'], false])
  watchers.add([], () => {})
  expect(seen).toEqual(['begin', 'end', 'begin'])
})

test('a change calls the watchers of its topic, and one that is not known calls all', () => {
  const { seen, watchers } = observed()
  watchers.add(['organization 7', 'token a'], () => seen.push('7'))
  watchers.add(['organization 8'], () => seen.push('8'))
  seen.splice(0)
  watchers.call(['token a', 'organization 9'])
  expect(seen.splice(0)).toEqual(['7'])
  watchers.call([])
  expect(seen).toEqual([])
  watchers.call()
  expect(seen).toEqual(['7', '8'])
})

/** Many watchers of the same topic that record their calls. */
function observedMany(count: number) {
  const { seen, watchers } = observed()
  const ends = Array.from({ length: count }, (_, nth) =>
    watchers.add(['token a'], () => seen.push(String(nth))),
  )
  seen.splice(0)
  return { seen, watchers, ends }
}

test('after five hundred calls everything else that waits goes first (attack 71)', async () => {
  const { seen, watchers } = observedMany(1200)
  watchers.call(['token a'])
  const counts = [seen.length]
  for (let round = 0; round < 3; round += 1) {
    await nextIteration()
    counts.push(seen.length)
  }
  expect(counts).toEqual([500, 1000, 1200, 1200])
  expect(new Set(seen).size).toBe(1200)
})

test('a topic that changes while its watchers are called calls each once more', async () => {
  const { seen, watchers } = observedMany(600)
  for (let change = 0; change < 3; change += 1) watchers.call(['token a'])
  await expect.poll(() => seen.length).toBe(1200)
  await nextIteration()
  expect(seen.filter((name) => name === '0')).toHaveLength(2)
  expect(seen.filter((name) => name === '599')).toHaveLength(2)
  expect(seen).toHaveLength(1200)
})

test('a watcher that ends while others are called is not called', async () => {
  const { seen, watchers, ends } = observedMany(502)
  const end = watchers.add(['token b'], () => seen.push('b'))
  watchers.add(['token c'], () => seen.push('c'))
  watchers.call(['token a', 'token b', 'token c'])
  ends[500]?.()
  end()
  await expect.poll(() => seen.at(-1)).toBe('c')
  expect(seen.slice(499)).toEqual(['499', '501', 'c'])
})

test('the same function may watch twice, and one topic may be named twice', () => {
  const { seen, watchers } = observed()
  const onChange = () => seen.push('changed')
  const ends = [watchers.add(['token a'], onChange), watchers.add(['token b', 'token b'], onChange)]
  ends[0]?.()
  seen.splice(0)
  watchers.call(['token a'])
  expect(seen).toEqual([])
  watchers.call(['token b'])
  expect(seen).toEqual(['changed'])
  ends[1]?.()
  expect(watchers.isAny).toBe(false)
})
