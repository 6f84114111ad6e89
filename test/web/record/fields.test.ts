import { afterEach, expect, test } from 'vitest'
import { fieldsOf, labelOf } from '../../../src/web/record/fields.ts'
import { recordIn } from '../../../src/web/record/organization.ts'
import { loadLanguage } from '../../../src/web/text/text.ts'

const pathsIn = (value: unknown) => fieldsOf(value).map(({ path }) => path)

test('fields keep the order of the answer, and those beside a wrapped record come last (4.4)', () => {
  const record = { id: 1, members: [], plan: 'standard' }
  expect(pathsIn(record)).toEqual(['/id', '/members', '/plan'])
  expect(pathsIn({ meta: 1, data: [record] })).toEqual([
    '/data/0/id',
    '/data/0/members',
    '/data/0/plan',
    '/meta',
  ])
})

test.each([null, 7, 'text', [], [{}, {}]])('%j is one field', (value) => {
  expect(fieldsOf(value)).toMatchObject([{ path: '', value }])
})

test('a common name has a label in the reader’s language, and any other one its own words', async () => {
  expect(labelOf('organization_id')).toBe('Organization ID')
  expect(labelOf('constructor')).toBe('Constructor')
  expect(labelOf('billing_contact')).toBe('Billing contact')
  expect(labelOf(0)).toBe('1')
  expect(labelOf('')).toBe('(no name)')
  await loadLanguage('ja')
  expect(['website', 'phone', 'postal_code', 'billing_contact'].map(labelOf)).toEqual([
    'ウェブサイト',
    '電話番号',
    '郵便番号',
    'Billing contact',
  ])
})

afterEach(() => loadLanguage('en'))

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
