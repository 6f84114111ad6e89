import { setImmediate as settle } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { isPushed, type PushedBody, readableOf, type Sink } from '../../src/contract/pushed-body.ts'

function createBody() {
  const seen = { closed: 0, taken: [] as string[] }
  let sink: Sink | undefined
  const body: PushedBody = {
    writeTo(to) {
      sink = to
      return () => {
        seen.closed += 1
      }
    },
  }
  const write = (part: string) => sink?.write(part, () => seen.taken.push(part))
  return { body, seen, write, end: () => sink?.end() }
}

test('parts that are written are read in order, until the end (HTML 9.2)', async () => {
  const { body, write, end } = createBody()
  const readable = readableOf(body)
  write('a')
  const text = new Response(readable).text()
  await settle()
  write('é')
  end()
  expect(await text).toBe('aé')
})

test('a part that waits to be read is taken, and the one after it when it was read (attack 71)', async () => {
  const { body, seen, write } = createBody()
  const reader = readableOf(body).getReader()
  await settle()
  write('a')
  write('b')
  await settle()
  expect(seen.taken).toEqual(['a'])
  await reader.read()
  await reader.read()
  await settle()
  expect(seen.taken).toEqual(['a', 'b'])
})

test('a reader that goes closes it (HTML 9.2)', async () => {
  const { body, seen } = createBody()
  await readableOf(body).cancel()
  expect(seen.closed).toBe(1)
})

test('no other body is one', () => {
  const others = [null, 'text', new Uint8Array(1)]
  expect([createBody().body, ...others].map(isPushed)).toEqual([true, false, false, false])
})
