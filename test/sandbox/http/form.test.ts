import { describe, expect, test } from 'vitest'
import { isRepeated, LARGEST_BODY_BYTES, required, valueOf } from '../../../src/sandbox/http/form.ts'
import { open } from '../../kit/sandbox.ts'

describe('valueOf', () => {
  test('an empty value counts as omitted (check 37, RFC 6749 3.1)', () => {
    const sent = new URLSearchParams('a=1&b=&c')
    expect(['a', 'b', 'c', 'd'].map((name) => valueOf(sent, name))).toEqual([
      '1',
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('required', () => {
  test('refuses an absent or empty value (RFC 6749 5.2)', () => {
    const sent = new URLSearchParams('a=1&b=')
    expect(required(sent, 'a')).toBe('1')
    for (const name of ['b', 'c']) expect(() => required(sent, name)).toThrow('invalid_request')
  })
})

describe('isRepeated', () => {
  test('counts empty values too (RFC 6749 3.1)', () => {
    const sent = new URLSearchParams('a=1&b=&b=2')
    expect(['a', 'b', 'c'].map((name) => isRepeated(sent, name))).toEqual([false, true, false])
  })
})

test('the media type is compared without case and character set (RFC 9110 8.3.1)', async () => {
  const { post } = open()
  for (const type of [
    'application/x-www-form-urlencoded; charset=UTF-8',
    'Application/X-WWW-Form-URLEncoded',
  ])
    expect((await post('/projects', { person_id: 'ada' }, { 'Content-Type': type })).status).toBe(303)
  for (const type of ['text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded2'])
    expect((await post('/projects', { person_id: 'ada' }, { 'Content-Type': type })).status).toBe(415)
})

test('a form of 16 kB is read, a larger one is refused as a page (RFC 9110 15.5.14)', async () => {
  const { post } = open()
  const fields = (bytes: number) => 'person_id=ada&x='.padEnd(bytes, 'x')
  expect((await post('/projects', fields(LARGEST_BODY_BYTES))).status).toBe(303)
  const refused = await post('/projects', fields(LARGEST_BODY_BYTES + 1))
  expect([refused.status, refused.headers.get('Content-Type')]).toEqual([413, 'text/html; charset=UTF-8'])
})

test.each([
  ['of another site', { Origin: 'https://evil.example' }, 403],
  ['of the same host on another port', { Origin: 'http://127.0.0.1:4001' }, 403],
  ['of no address', { Origin: 'evil' }, 403],
  ['of another site by Sec-Fetch-Site', { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }, 403],
  ['of the sandbox', { Origin: 'http://127.0.0.1:4000' }, 303],
  ['of the sandbox behind TLS', { Origin: 'https://127.0.0.1:4000' }, 303],
  ['of a page without referrer', { Origin: 'null' }, 303],
  ['of no browser', {}, 303],
])('a sign-in from a page %s: %o answers %i (RFC 6749 10.12)', async (_, headers, status) => {
  const { post, sandbox } = open()
  const answer = await post('/projects', { person_id: 'ada' }, headers)
  expect(answer.status).toBe(status)
  expect(Object.keys(sandbox.snapshot().sign_ins)).toHaveLength(status === 303 ? 1 : 0)
})
