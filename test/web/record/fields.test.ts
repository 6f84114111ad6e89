import { expect, test } from 'vitest'
import { fieldsOf, labelOf } from '../../../src/web/record/fields.ts'
import { factsIn, recordIn } from '../../../src/web/record/organization.ts'

const namesIn = (value: unknown) => fieldsOf(value).map(({ path, fact }) => (fact ? `${path} ${fact}` : path))

test('known members come first, and those beside a wrapped record last (4.4)', () => {
  const record = { id: 1, members: [], tags: [], plan: 'standard' }
  expect(namesIn(record)).toEqual(['/plan plan', '/members members', '/id', '/tags'])
  expect(namesIn({ data: [record], meta: 1 })).toEqual([
    '/data/0/plan plan',
    '/data/0/members members',
    '/data/0/id',
    '/data/0/tags',
    '/meta',
  ])
})

test.each([null, 7, 'text', [], [{}, {}]])('%j is one field', (value) => {
  expect(fieldsOf(value)).toMatchObject([{ path: '', value }])
})

test('a known member has a label in the reader’s language, and any other its name', () => {
  expect(labelOf('plan_name', 'plan')).toBe('Plan')
  expect(labelOf('organization_id')).toBe('ID')
  expect(labelOf('constructor')).toBe('Constructor')
  expect(labelOf('billing_contact')).toBe('Billing contact')
  expect(labelOf(0)).toBe('1')
  expect(labelOf('')).toBe('(no name)')
})

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

test('an object with its own name wraps nothing', () => {
  const record = { name: 'Harbour', data: { name: 'another' } }
  expect(recordIn(record)).toEqual({ record, path: '' })
  expect(recordIn({ data: [1, 2] })?.path).toBe('')
})

test('known members are the record’s own, under any of their names, in a fixed order (2.3)', () => {
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
