import { expect, test } from 'vitest'
import { Watchers } from '../../src/store/watchers.ts'

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

test('a change calls those who watch its topic, and one that is not known calls all', () => {
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
