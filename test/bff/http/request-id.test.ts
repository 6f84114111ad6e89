import { expect, test } from 'vitest'
import { givenRequestId, newRequestId } from '../../../src/bff/http/request-id.ts'

test.each([
  '7',
  '0f8fad5bd9cb469fa165708677289501',
  '0f8fad5b-d9cb-469f-a165-708677289501',
  'Root=1-67891233-abcdef012345678912345678',
  'q83v+/8=',
  'a'.repeat(64),
])('a trusted proxy gives a request the id %s; without one it is ignored (operations)', (id) => {
  expect(givenRequestId(id, 1)).toBe(id)
  expect(givenRequestId(id, 3)).toBe(id)
  expect(givenRequestId(id, 0)).toBeUndefined()
})

test.each([null, '', 'a'.repeat(65), 'a b', 'a, b', 'a"b', 'a\nb', '<a>', 'ä', '\u2028'])(
  'the header %j is no id (operations)',
  (header) => expect(givenRequestId(header, 1)).toBeUndefined(),
)

test('an id of our own has 12 digits, and each another one (operations)', () => {
  const ids = Array.from({ length: 100 }, newRequestId)
  for (const id of ids) expect(id).toMatch(/^[\da-f]{12}$/)
  expect(new Set(ids).size).toBe(100)
})
