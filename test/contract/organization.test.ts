import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { organizationPath, parseOrganizationId, readOrganizationId } from '../../src/contract/organization.ts'
import type { Problem } from '../../src/contract/problem.ts'

const refused = expect.objectContaining({ code: 'invalid_organization_id' })

test.each([
  [1, '1'],
  ['1', '1'],
  [Number.MAX_SAFE_INTEGER, '9007199254740991'],
  ['9223372036854775807', '9223372036854775807'],
])('%j is an id with all its digits (5.3)', (value, id) => {
  expect(parseOrganizationId(value)).toBe(id)
})

test.each([
  0,
  -1,
  1.5,
  2 ** 53,
  1e21,
  '',
  '0',
  '007',
  '+1',
  '-1',
  '1e3',
  '0x1',
  ' 1',
  '١',
  '1/..',
  null,
  undefined,
  [1],
  {},
])('%j is no id (5.3)', (value) => {
  expect(() => parseOrganizationId(value)).toThrow(refused)
})

test.each([
  '  42\n',
  'https://tasks.example/projects?organization_id=42',
  'HTTPS://tasks.example/projects?a=b&organization_id=42&c#organization_id=9',
  'http://localhost:4000/?organization_id=%34%32',
])('the id 42 is read out of %j (5.3)', (typed) => {
  expect(readOrganizationId(typed)).toBe('42')
})

test.each([
  '',
  'organization_id=42',
  'https://',
  'https://tasks.example/42',
  'https://tasks.example/?organization_id=',
  'https://tasks.example/?organization_id=42&organization_id=42',
  'https://tasks.example/#organization_id=42',
  'javascript:alert(42)?organization_id=42',
  'javascript:https://tasks.example/?organization_id=42',
])('no id is read out of %j (5.3)', (typed) => {
  expect(() => readOrganizationId(typed)).toThrow(refused)
})

test('whatever is typed, the path of an organization has two parts and no other letters (4.4)', () => {
  const typed = fc.oneof(fc.string(), fc.webUrl({ withQueryParameters: true }), fc.bigInt().map(String))
  const pathOrProblem = (text: string) => {
    try {
      return organizationPath(readOrganizationId(text))
    } catch (error) {
      return (error as Problem).code
    }
  }
  fc.assert(
    fc.property(typed, (text) => {
      expect(pathOrProblem(text)).toMatch(/^(\/organizations\/[1-9]\d*|invalid_organization_id)$/)
    }),
  )
})
