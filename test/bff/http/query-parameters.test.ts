import { expect, test } from 'vitest'
import { queryParameters } from '../../../src/bff/http/query-parameters.ts'
import { APP } from '../../_fixture.ts'

const read = (query: string) => queryParameters(new Request(`${APP}/bff/ledger${query}`), ['next', 'kind'])

test.each([
  ['', {}],
  ['?', {}],
  ['?next=a', { next: 'a' }],
  ['?next=', { next: '' }],
  ['?kind=b%26c&next=%C3%A4+d', { kind: 'b&c', next: 'ä d' }],
])('%j has the parameters %j (RFC 3986 3.4)', (query, expected) => {
  expect(read(query)).toEqual(expected)
})

test.each([
  ['?other=1', 'unknown_parameter', ['next', 'kind']],
  ['?next=a&Next=b', 'unknown_parameter', ['next', 'kind']],
  ['?=a', 'unknown_parameter', ['next', 'kind']],
  ['?next=a&next=a', 'repeated_parameter', undefined],
  ['?next=a&kind=b&n%65xt=c', 'repeated_parameter', undefined],
])('%j is refused: %s (RFC 3986 3.4)', (query, fault, known) => {
  expect(() => read(query)).toThrow(expect.objectContaining({ code: 'invalid_request', fault, known }))
})

test('a route without parameters takes none (RFC 3986 3.4)', () => {
  expect(queryParameters(new Request(`${APP}/bff/ledger/days`))).toEqual({})
  expect(() => queryParameters(new Request(`${APP}/bff/ledger/days?a`))).toThrow(
    expect.objectContaining({ code: 'invalid_request', fault: 'unknown_parameter', known: [] }),
  )
})
