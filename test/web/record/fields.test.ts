import { expect, test } from 'vitest'
import { fieldsOf, labelOf } from '../../../src/web/record/fields.ts'

const namesIn = (value: unknown) => fieldsOf(value).map(({ path, fact }) => (fact ? `${path} ${fact}` : path))

test('known members come first, what is beside a wrapped record last (4.4)', () => {
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

test('a member is called in the reader’s language where it is known, and else by its name', () => {
  expect(labelOf('plan_name', 'plan')).toBe('Plan')
  expect(labelOf('organization_id')).toBe('ID')
  expect(labelOf('constructor')).toBe('Constructor')
  expect(labelOf('billing_contact')).toBe('Billing contact')
  expect(labelOf(0)).toBe('1')
  expect(labelOf('')).toBe('(no name)')
})
