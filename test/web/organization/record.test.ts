import { expect, test } from 'vitest'
import { parseExactly } from '../../../src/web/organization/fields.tsx'
import { changedFields, recordIn, summaryIn } from '../../../src/web/organization/summary.ts'

const RECORD = { name: 'Harbour', plan: 'standard' }

test.each([
  [RECORD],
  [[RECORD]],
  [{ organization: RECORD }],
  [{ organizations: [RECORD] }],
  [{ data: [RECORD], meta: { total: 1 } }],
  [{ data: RECORD }],
])('the record is found in %j (4.4)', (value) => {
  expect(recordIn(value)).toEqual(RECORD)
})

test.each([null, 1, 'text', [], [RECORD, RECORD], [[[[[RECORD]]]]]])('%j has no record (4.4)', (value) => {
  expect(recordIn(value)).toBeUndefined()
})

test('an object with its own name wraps nothing, nor does one of a list (4.4)', () => {
  const record = { name: 'Harbour', data: { name: 'another' } }
  expect(recordIn(record)).toEqual(record)
  expect(recordIn({ data: [1, 2] })).toEqual({ data: [1, 2] })
})

/** As browsers parse that tell a reviver what stood in the text, and as the others do. */
const PARSERS = [true, false].filter((isNative) => !isNative || parseExactly('1.0', true) === '1.0')

test.each(PARSERS)(
  'a number that JavaScript would change keeps its digits (RFC 8259 6), natively: %s',
  (isNative) => {
    const parsed = parseExactly('{"a":9007199254740993123,"b":[1.10,-0,1e400],"c":-2.5}', isNative)
    expect(parsed).toEqual({ a: '9007199254740993123', b: ['1.10', '-0', '1e400'], c: -2.5 })
  },
)

test.each(PARSERS)(
  'the last value of a repeated name counts, and __proto__ is a name, natively: %s',
  (isNative) => {
    const parsed = parseExactly('{"a":1,"a":2,"__proto__":{"x":true}}', isNative) as { a: unknown }
    expect([Object.keys(parsed), parsed.a]).toEqual([['a', '__proto__'], 2])
    expect(({} as { x?: unknown }).x).toBeUndefined()
  },
)

test.each(['', '{', '<html>', 'undefined', '{"a":}', '[1,]'])('%j is not JSON (RFC 8259)', (text) => {
  expect(() => parseExactly(text)).toThrow(/expected|valid JSON/i)
})

const summaryOf = (record: unknown) => JSON.parse(JSON.stringify(summaryIn(JSON.stringify(record))))

test.each([
  [
    { name: 'Harbour', plan: 'standard', other: 1 },
    { name: 'Harbour', plan: 'standard' },
  ],
  [{ data: [{ name: 'x' }], meta: { total: 1 } }, { name: 'x' }],
  [JSON.parse('{"__proto__":{"name":"x"}}'), {}],
  [
    {
      members: [
        { id: 'ada', name: 'Ada', role: 'administrator' },
        { name: 'Ben', role: 'member' },
      ],
    },
    {
      members: [
        { name: 'Ada', isAdministrator: true },
        { name: 'Ben', isAdministrator: false },
      ],
    },
  ],
  [
    { address: { street: '3 East Quay', city: 'Port', postal_code: 'PE4', country: 'GB' } },
    { address: '3 East Quay, Port PE4' },
  ],
  [{ created_at: '2019-04-08T07:30:00Z' }, { created: '2019-04-08T07:30:00Z' }],
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
  [{ name: 'x'.repeat(80) }, { name: 'x'.repeat(80) }],
  [{ members: [{ name: '\u2069\u202EAda' }] }, { members: [{ name: 'Ada', isAdministrator: false }] }],
])('%j is summarized as %j (2.3)', (record, summary) => {
  expect(summaryOf(record)).toEqual(summary)
})

const HUGE = 'x'.repeat(2_000_000)

test.each<unknown>([
  { name: 'x'.repeat(81), plan: 3, members: 12, address: 5, created_at: 1.5e9 },
  { name: ['x'], plan: { tier: 1 }, members: {}, address: ['Quay'], created_at: false },
  { name: null, plan: null, members: null, address: null, created_at: null },
  { name: HUGE, plan: HUGE, members: [HUGE], address: HUGE, created_at: HUGE },
  { name: '', plan: '', members: [], address: {}, created_at: 'last week' },
  {
    name: '\u200B',
    plan: '\u200B',
    members: ['Ada', 7],
    address: { street: 3, city: 'x' },
    created_at: '2019-99-99',
  },
  { members: ['Ada', { role: 'administrator' }], address: { street: HUGE }, created_at: '2019' },
  { members: [[['Ada']]], address: { constructor: 'x' } },
  ...['14 March 2021', '2021-03-14T09:26:53Zx', '+44 1632 960 417'].map((created) => ({ created })),
])('what is not as expected is left out, and nothing else is: record %#', (record) => {
  expect(summaryOf(record)).toEqual({})
})

test.each([
  ['{"a":1,"b":2}', '{"a":1,"b":3,"c":4}', ['b', 'c']],
  ['{"a":1,"b":2}', '{"b":2}', ['a']],
  ['{"a":1}', '{ "a": 1 }', []],
  ['{"data":[{"name":"x"}]}', '{"data":[{"name":"y"}]}', ['name']],
  ['{"a":1}', '<html>', ['a']],
  ['oops', 'oh', []],
])('from %s to %s the fields %j have changed (2.3)', (before, after, names) => {
  expect(changedFields(before, after)).toEqual(names)
})
