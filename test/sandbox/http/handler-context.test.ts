import { expect, test } from 'vitest'
import { HeaderFields } from '../../../src/contract/answer.ts'
import { HandlerContext, HandlerRequest } from '../../../src/sandbox/http/handler-context.ts'

const open = (headers: Record<string, string> = {}) => {
  const raw = { method: 'GET', url: 'http://localhost/a', headers: new HeaderFields(headers), body: null }
  return new HandlerContext(new HandlerRequest(raw, { path: '/a', id: undefined }), true)
}

test('a header field of the request is found in any case, and a missing one is undefined', () => {
  const { req } = open({ 'X-One': '1' })
  expect([req.header('x-one'), req.header('X-Two'), req.id, req.method]).toEqual([
    '1',
    undefined,
    undefined,
    'GET',
  ])
})

test('a body is empty until it was read, and loses its byte order mark (Encoding 6)', () => {
  const { req } = open()
  expect(req.text()).toBe('')
  req.keepBody(new TextEncoder().encode('\uFEFFgrüße'))
  expect(req.text()).toBe('grüße')
})

test('a field that was set is in the next answer once', async () => {
  const c = open()
  c.header('X-One', '1')
  c.header('x-one', '2')
  const answer = c.json({ a: 1 }, 201)
  expect([answer.status, await answer.json(), answer.headers.get('X-One')]).toEqual([201, { a: 1 }, '2'])
  expect(answer.headers.get('Content-Type')).toBe('application/json')
})

test.each(['a\r\nb', 'a\0', '日'])('a field cannot have the value %j (RFC 9110 5.5)', (value) => {
  expect(() => open().header('X-One', value)).toThrow('X-One cannot have this value')
})

test('the address of a redirect is encoded if it has characters beyond Latin-1 (RFC 3986 2.1)', () => {
  expect(open().redirect('/日', 303).headers.get('Location')).toBe('/%E6%97%A5')
  expect(open().redirect('/a?b', 302).headers.get('Location')).toBe('/a?b')
})

test('there is no answer before a handler has given one', () => {
  const c = open()
  expect(c.isAnswered).toBe(false)
  expect(() => c.res).toThrow('No handler has answered')
})
