import { expect, test } from 'vitest'
import { HeaderFields } from '../../../src/contract/answer.ts'
import { type Handler, HandlerContext, HandlerRequest } from '../../../src/sandbox/http/handler-context.ts'
import { createRouter } from '../../../src/sandbox/http/router.ts'

const around: Handler = async (c, next) => {
  await next()
  c.res.headers.set('After', `${c.res.status} ${c.error?.message ?? 'no error'}`)
}
const fails: Handler = () => {
  throw new Error('it fails')
}
const breaks: Handler = () => {
  throw new RangeError('it breaks')
}
const answer = createRouter({
  routes: {
    '/one': [around, (c) => c.body('one')],
    '/one/:name': [around, (c) => c.body(`${c.req.id} of ${c.req.path}`)],
    '/fails': [around, fails],
    '/breaks': [around, breaks],
    '/passed-on': [around, (_, next) => next(), (c) => c.body('at last', 201)],
    '/twice': [
      async (c, next) => {
        await next()
        return c.body('too late')
      },
      (c) => c.body('first'),
    ],
  },
  otherwise: [(c) => c.body(`${c.isRouted}`, 404)],
  onError(error, c) {
    if (error instanceof RangeError) throw error
    return c.body(error.message, 500)
  },
  toRoutePath: (pathname) => pathname.replace('/base', ''),
})
const ask = (path: string, method = 'GET') =>
  answer({ method, url: `http://localhost${path}`, headers: new HeaderFields(), body: null })

test.each([
  ['/one', 200, 'one', '200 no error'],
  ['/base/one', 200, 'one', '200 no error'],
  ['/base/one/a%20b', 200, 'a b of /one/a%20b', '200 no error'],
  ['/one/%', 200, '% of /one/%', '200 no error'],
  ['/one/a/b', 404, 'false', null],
  ['/passed-on', 201, 'at last', '201 no error'],
  ['/twice', 200, 'first', null],
  ['/fails', 500, 'it fails', '500 it fails'],
])('%s answers %i %s, and the outer handler sees %s', async (path, status, text, after) => {
  const { status: answered, body, headers } = await ask(path)
  expect([answered, body, headers.get('After')]).toEqual([status, text, after])
})

test('an error from the answer to an error ends the request', async () => {
  await expect(ask('/breaks')).rejects.toThrow('it breaks')
})

test('a HEAD has the header fields of its GET, and no body (RFC 9110 9.3.2)', async () => {
  const { status, body, headers } = await ask('/one', 'HEAD')
  expect([status, body, headers.get('After')]).toEqual([200, null, '200 no error'])
})

const open = (headers: Record<string, string> = {}) => {
  const raw = { method: 'GET', url: 'http://localhost/a', headers: new HeaderFields(headers), body: null }
  return new HandlerContext(new HandlerRequest(raw, { path: '/a', id: undefined }), true)
}

test.each(['a\r\nb', 'a\0', '日'])('a field cannot have the value %j (RFC 9110 5.5)', (value) => {
  expect(() => open().header('X-One', value)).toThrow('X-One cannot have this value')
})

test('the address of a redirect is encoded if it has characters beyond Latin-1 (RFC 3986 2.1)', () => {
  expect(open().redirect('/日', 303).headers.get('Location')).toBe('/%E6%97%A5')
  expect(open().redirect('/a?b', 302).headers.get('Location')).toBe('/a?b')
})
