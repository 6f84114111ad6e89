import { expect, test } from 'vitest'
import { Digits, indentJson, jsonOf, readJsonText } from '../../../src/web/record/json-text.ts'
import {
  cut,
  humanise,
  isBranch,
  isChips,
  isFlat,
  itemTitle,
  pointerTo,
} from '../../../src/web/record/value.ts'
import { fieldsOf, labelOf } from '../../../src/web/record/fields.ts'
import { recordIn } from '../../../src/web/record/organization.ts'
import { summaryIn } from '../../../src/web/record/summary.ts'
import { changeWords } from '../../../src/web/record/change-words.ts'
import { changesOf } from '../../../src/web/record/changes.ts'

test.each([
  ['billing_contact', 'Billing contact'],
  ['billingContact', 'Billing contact'],
  ['API-key_count', 'API key count'],
  ['', ''],
  ['__', '__'],
])('%j is called %s', (name, label) => {
  expect(humanise(name)).toBe(label)
})

test('a label has no marks of direction, which would turn around the words beside it', () => {
  expect(humanise('\u2069\u202Ebilling_contact')).toBe('Billing contact')
  expect(humanise('\u202E')).toBe('')
})

test('a name of a megabyte has a short label', () => {
  expect(humanise('n'.repeat(1_000_000))).toHaveLength(81)
})

test('a path is a JSON pointer (RFC 6901)', () => {
  expect(pointerTo('/a', 'b/c~d')).toBe('/a/b~1c~0d')
  expect(pointerTo('', 0)).toBe('/0')
})

test('a text is cut between characters', () => {
  expect(cut('abc', 3)).toBe('abc')
  expect(cut('ab😀cd', 3)).toBe('ab…')
})

test.each([
  [['a', 'b', 1], true],
  [['a'.repeat(33)], false],
  [['a\nb'], false],
  [['a', null], false],
  [[], false],
])('the items of %j are side by side: %s', (list, expected) => {
  expect(isChips(list)).toBe(expected)
  expect(isBranch(list)).toBe(!expected && list.length > 0)
})

test.each<[unknown, boolean]>([
  [{ id: 1, name: 'a' }, true],
  [{ id: [] }, false],
  [{ id: 'x'.repeat(61) }, false],
  [Object.fromEntries(Array.from({ length: 7 }, (_, at) => [at, at])), false],
  [[1], false],
  [null, false],
])('one line has room for %j: %s', (value, expected) => {
  expect(isFlat(value)).toBe(expected)
})

test('an item has its own name, never one that every object inherits', () => {
  expect(itemTitle({ name: 'Kittiwake' })).toBe('Kittiwake')
  expect(itemTitle({ title: 7 })).toBeUndefined()
  expect(itemTitle(JSON.parse('{"__proto__":{"name":"x"}}'))).toBeUndefined()
  expect(itemTitle('name')).toBeUndefined()
})

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

test('a common name has a label of the dictionary, and any other one its own words', () => {
  expect(labelOf('organization_id')).toBe('Organization ID')
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

test('a number keeps all its digits', () => {
  expect(readJsonText('9007199254740993123')?.value).toEqual(new Digits('9007199254740993123'))
  expect(readJsonText('{"a":1.10}')?.value).toEqual({ a: new Digits('1.10') })
})

test.each(['', '{', '<html>', 'undefined', '{"a":}', '[1,]'])('%j is not JSON', (text) => {
  expect(readJsonText(text)).toBeUndefined()
})

test('the last value of a repeated name counts, and __proto__ is a name like any other', () => {
  const { value } = readJsonText('{"a":1,"a":2,"__proto__":{"x":true}}') ?? {}
  expect(Object.keys(value as object)).toEqual(['a', '__proto__'])
  expect((value as { a: unknown }).a).toEqual(2)
  expect(({} as { x?: unknown }).x).toBeUndefined()
})

test('nesting of any depth is refused or read, and indented, without a crash', () => {
  const deep = '['.repeat(200_000) + ']'.repeat(200_000)
  expect(readJsonText(deep)).toBeUndefined()
  expect(indentJson(deep).cut).toBe(300_000)
})

test('the raw text is indented as it came, with its numbers and repeated names', () => {
  const { shown } = indentJson('{"a":[1.10,"x, {y}"],"b":{},"a":"\\"q\\""}')
  expect(shown.trim()).toBe('{\n  "a": [\n    1.10,\n    "x, {y}"\n  ],\n  "b": {},\n  "a": "\\"q\\""\n}')
})

test('marks of direction are written as codes, so that they turn nothing around', () => {
  expect(indentJson('{"a":"\u202Eb\u2069"}').shown.trim()).toBe('{\n  "a": "\\u202eb\\u2069"\n}')
})

test('text that is not JSON is indented without a crash', () => {
  expect(indentJson('}]}]"abc').shown).toContain('"abc')
})

test.each([
  '{"a":1,"b":-2.5,"c":"1.10","d":[true,null,""]}',
  '{"a":1.10,"b":-0,"c":1e400,"d":9007199254740993123}',
  '["quotes \\" and \\\\",1.0,"\\\\",2.0]',
  '{"__proto__":1.50,"constructor":{}}',
])('%s stays the same when it is written again', (text) => {
  expect(jsonOf(readJsonText(text)?.value)).toBe(text)
})

test('a string of megabytes is read', () => {
  const text = JSON.stringify({ a: '\\"'.repeat(1_000_000), b: 1 })
  expect(readJsonText(text)?.value).toEqual(JSON.parse(text))
})

const summaryOf = (record: unknown) => JSON.parse(JSON.stringify(summaryIn(JSON.stringify(record))))

test.each([
  [
    { name: 'Harbour', plan: 'standard', other: 1 },
    { name: 'Harbour', plan: 'standard' },
  ],
  [{ data: [{ name: 'x' }], meta: { total: 1 } }, { name: 'x' }],
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
  [{ members: [{ name: '\u2069\u202EAda' }] }, { members: [{ name: 'Ada', isAdministrator: false }] }],
])('%j is summarized as %j (2.3)', (record, summary) => {
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

function changes(before: string, after: string) {
  const fields = (text: string) => fieldsOf(readJsonText(text)?.value)
  const { paths, changed, removed } = changesOf(fields(before), fields(after))
  return {
    paths: [...paths].toSorted(),
    changed: changed.map(({ key }) => key),
    removed: removed.map(({ key }) => key),
  }
}

test('the same record in another order has not changed', () => {
  expect(changes('{"a":1,"b":{"c":[1,{}],"d":null}}', '{"b":{"d":null,"c":[1,{}]},"a":1}')).toEqual({
    paths: [],
    changed: [],
    removed: [],
  })
})

test('a difference is marked, with everything that contains it', () => {
  expect(changes('{"a":{"b":[1,2],"c":3},"d":4}', '{"a":{"b":[1,5],"c":3},"d":4}')).toEqual({
    paths: ['/a', '/a/b', '/a/b/1'],
    changed: ['a'],
    removed: [],
  })
})

test.each([
  ['{"a":1}', '{"a":"1"}'],
  ['{"a":1.1}', '{"a":1.10}'],
  ['{"a":9007199254740993}', '{"a":9007199254740992}'],
  ['{"a":[]}', '{"a":{}}'],
  ['{"a":{"b":1}}', '{"a":{}}'],
  ['{"a":[1]}', '{"a":[1,2]}'],
  ['{"a":null}', '{"a":false}'],
])('%s and %s differ', (before, after) => {
  expect(changes(before, after).changed).toEqual(['a'])
})

test('new and removed members are named', () => {
  expect(changes('{"a":1,"toString":2}', '{"a":1,"constructor":2}')).toEqual({
    paths: ['/constructor'],
    changed: ['constructor'],
    removed: ['toString'],
  })
})

function words(before: object, after: object, agoMs = 60_000): string {
  const former = { text: JSON.stringify(before), readAtMs: Date.now() - agoMs }
  return changeWords(former, { text: JSON.stringify(after) })
}

const MANY = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`n${at}`, at]))

test.each<[object, object, RegExp, number?]>([
  [
    { plan: 1, members: [], x: 1 },
    { plan: 2, members: [1], x: 1 },
    /^changed since \d\d?:\d\d( [AP]M)?: Plan and Members$/,
  ],
  [{ plan: 1, old: 1 }, { plan: 2 }, /^changed since .*: Plan · gone since .*: Old$/],
  [{ old: 1 }, {}, /^gone since .*: Old$/],
  [{}, MANY, /: N0, N1, .*, N7, and 3 more$/],
  [{ a: 1 }, { a: 1 }, /^nothing changed since \d/],
  [{ a: 1 }, { a: 1 }, /since .*[A-Z][a-z]{2}/, 3 * 86_400_000],
])('the step from %j to %j is one sentence: %s', (before, after, sentence, agoMs) => {
  expect(words(before, after, agoMs)).toMatch(sentence)
})
