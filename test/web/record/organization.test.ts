import { expect, test } from 'vitest'
import { factsIn, recordIn } from '../../../src/web/record/organization.ts'

const RECORD = { name: 'Harbour', plan: 'standard' }

test.each([
  [RECORD, ''],
  [[RECORD], '/0'],
  [{ organization: RECORD }, '/organization'],
  [{ organizations: [RECORD] }, '/organizations/0'],
  [{ data: [RECORD], meta: { total: 1 } }, '/data/0'],
  [{ data: RECORD }, '/data'],
])('the record in %j is at "%s" (4.4)', (value, path) => {
  expect(recordIn(value)).toEqual({ record: RECORD, path })
})

test.each([null, 1, 'text', [], [RECORD, RECORD], [[[[[RECORD]]]]]])('%j has no record', (value) => {
  expect(recordIn(value)).toBeUndefined()
})

test('an object with a name of its own wraps nothing', () => {
  const record = { name: 'Harbour', data: { name: 'another' } }
  expect(recordIn(record)).toEqual({ record, path: '' })
  expect(recordIn({ data: [1, 2] })?.path).toBe('')
})

test('known members have a fixed order, under any of their names, and are the record’s own (2.3)', () => {
  const record = JSON.parse(
    '{"users":[],"created":1,"x":2,"owner":null,"plan":3,"__proto__":{"updated_at":1}}',
  )
  expect(factsIn(record)).toEqual([
    { fact: 'plan', name: 'plan' },
    { fact: 'owner', name: 'owner' },
    { fact: 'created', name: 'created' },
    { fact: 'members', name: 'users' },
  ])
  expect(factsIn({})).toEqual([])
})
