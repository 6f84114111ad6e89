import { setImmediate as settle } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Answer, HeaderFields, pathOf } from '../../src/contract/answer.ts'
import { isPushed, type PushedBody, readableOf, type Sink } from '../../src/contract/pushed-body.ts'

test('a field that is set replaces all of its name in any case, and append adds one more (RFC 9110 5.1)', () => {
  const fields = new HeaderFields({ Allow: 'GET' })
  fields.append('Set-Cookie', 'a=1')
  fields.append('Set-Cookie', 'b=2')
  fields.set('ALLOW', 'HEAD')
  expect([...fields]).toEqual([
    ['Set-Cookie', 'a=1'],
    ['Set-Cookie', 'b=2'],
    ['ALLOW', 'HEAD'],
  ])
  expect([fields.get('set-cookie'), fields.get('allow'), fields.get('vary')]).toEqual([
    'a=1, b=2',
    'HEAD',
    null,
  ])
  fields.set('set-cookie', 'c=3')
  expect([...fields]).toEqual([
    ['ALLOW', 'HEAD'],
    ['set-cookie', 'c=3'],
  ])
})

test('an answer has the same status, fields and body in the objects of the fetch API (RFC 9110 15)', async () => {
  const answer = Answer.json({ id: 1 }, 201)
  answer.headers.append('Set-Cookie', 'a=1')
  answer.headers.append('Set-Cookie', 'b=2')
  const response = answer.toResponse()
  expect([response.status, await response.json()]).toEqual([201, { id: 1 }])
  expect(response.headers.get('Content-Type')).toBe('application/json')
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect(Answer.noContent().toResponse().body).toBeNull()
})

test.each([
  'http://a',
  'http://a/b/c',
  'https://a:1/b?c=/d',
  'http://a/?b',
  'http://a/b%2Fc#d',
  'http://[::1]/x',
])('the path of %s is what a parser of addresses finds (RFC 3986 3.3)', (url) => {
  expect(pathOf({ url: new URL(url).href })).toBe(new URL(url).pathname)
})

test('a text that is no address has the path of the start page', () => {
  expect(['about:blank', 'x http://a/b', ''].map((url) => pathOf({ url }))).toEqual(['/', '/', '/'])
})

test.each<[number, boolean]>([
  [199, false],
  [200, true],
  [299, true],
  [300, false],
])('the status %i is a success: %s (RFC 9110 15.3)', (status, isSuccess) => {
  const answer = Answer.json({ id: 1 }, status)
  expect(answer.ok).toBe(isSuccess)
})

test('a field that is deleted is gone in any case, and the others stay', () => {
  const fields = new HeaderFields({ One: '1', Two: '2' })
  fields.append('one', 'again')
  fields.delete('ONE')
  expect([...fields]).toEqual([['Two', '2']])
})

test('the answer of a Response has its status, all its fields and its body', async () => {
  const headers = new Headers([
    ['Set-Cookie', 'a=1'],
    ['Set-Cookie', 'b=2'],
  ])
  const answer = await Answer.of(new Response('text', { status: 201, headers }))
  expect([answer.status, answer.ok, await answer.text()]).toEqual([201, true, 'text'])
  expect(answer.toResponse().headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  const empty = await Answer.of(new Response(null, { status: 404 }))
  expect([empty.ok, empty.body]).toEqual([false, null])
})

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
