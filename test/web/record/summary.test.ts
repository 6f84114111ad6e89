import { expect, test } from 'vitest'
import { summaryIn } from '../../../src/web/record/summary.ts'

const summaryOf = (record: unknown) => JSON.parse(JSON.stringify(summaryIn(JSON.stringify(record))))

test('the summary has the known members of a record, wrapped or not (2.3)', () => {
  const record = {
    name: 'Harbour',
    plan: 'standard',
    members: [{ id: 'ada', name: 'Ada', role: 'administrator' }, { name: 'Ben', role: 'member' }, 'Cleo'],
    address: { street: '3 East Quay', city: 'Port Ellery', postal_code: 'PE4 2RW', country: 'GB' },
    created_at: '2019-04-08T07:30:00Z',
    other: 1,
  }
  const summary = {
    name: 'Harbour',
    plan: 'standard',
    members: [
      { name: 'Ada', isAdministrator: true },
      { name: 'Ben', isAdministrator: false },
      { name: 'Cleo', isAdministrator: false },
    ],
    address: '3 East Quay, Port Ellery PE4 2RW',
    created: '2019-04-08T07:30:00Z',
  }
  expect(summaryOf(record)).toEqual(summary)
  expect(summaryOf({ data: [record], meta: { total: 1 } })).toEqual(summary)
})

test.each([
  [{ plan_name: 'gold' }, { plan: 'gold' }],
  [{ users: ['Ada'] }, { members: [{ name: 'Ada', isAdministrator: false }] }],
  [{ created: '2019-04-08' }, { created: '2019-04-08' }],
  [{ address: '3 East Quay' }, { address: '3 East Quay' }],
  [{ address: { city: 'Port Ellery' } }, { address: 'Port Ellery' }],
  [{ address: { street: 'Quay', city: null, postal_code: 'PE4' } }, { address: 'Quay, PE4' }],
  [
    { name: ' Harbour\n Works ', plan: '\u202Estandard\u202C' },
    { name: 'Harbour Works', plan: 'standard' },
  ],
  [{ members: [{ name: '\u2069\u202EAda' }] }, { members: [{ name: 'Ada', isAdministrator: false }] }],
])('%j is summarized as %j', (record, summary) => {
  expect(summaryOf(record)).toEqual(summary)
})

const HUGE = 'x'.repeat(2_000_000)

test.each<unknown>([
  { name: 7, plan: 3, members: 12, address: 5, created_at: 1.5e9 },
  { name: ['x'], plan: { tier: 1 }, members: {}, address: ['Quay'], created_at: false },
  { name: null, plan: null, members: null, address: null, created_at: null },
  { name: HUGE, plan: HUGE, members: [HUGE], address: HUGE, created_at: HUGE },
  { plan: '', members: [], address: {}, created_at: 'last week' },
  { plan: '\u200B', members: ['Ada', 7], address: { street: 3, city: 'x' }, created_at: '2019-99-99' },
  { members: ['Ada', { role: 'administrator' }], address: { street: HUGE }, created_at: '2019' },
  { members: [[['Ada']]], address: { constructor: 'x' } },
])('what is not as expected is left out, and nothing else is: record %#', (record) => {
  expect(summaryOf(record)).toEqual({})
})

test.each([
  'null',
  '7',
  '"text"',
  '[]',
  '[{"name":"x"},{"name":"y"}]',
  'no JSON',
  '{"__proto__":{"plan":"x"}}',
])('%s has no summary (4.4)', (text) => {
  expect(JSON.parse(JSON.stringify(summaryIn(text)))).toEqual({})
})
