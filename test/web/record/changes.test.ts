import { expect, test } from 'vitest'
import { changeWords } from '../../../src/web/record/change-words.ts'
import { changesOf } from '../../../src/web/record/changes.ts'
import { fieldsOf } from '../../../src/web/record/fields.ts'
import { readJsonText } from '../../../src/web/record/json-text.ts'

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

test('one sentence lists the differences by their labels', () => {
  expect(words({ plan: 1, members: [], x: 1 }, { plan: 2, members: [1], x: 1 })).toMatch(
    /^changed since \d\d?:\d\d( [AP]M)?: Plan, Members$/,
  )
})

test('what is gone is named after what has changed', () => {
  expect(words({ plan: 1, old: 1 }, { plan: 2 })).toMatch(/^changed since .*: Plan · gone since .*: Old$/)
  expect(words({ old: 1 }, {})).toMatch(/^gone since .*: Old$/)
})

test('only some of many differences are listed', () => {
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`n${at}`, at]))
  expect(words({}, many)).toMatch(/: N0, N1, .*, N7, 3 more$/)
})

test('without a difference the sentence says so', () => {
  expect(words({ a: 1 }, { a: 1 })).toMatch(/^nothing changed since \d/)
})

test('an earlier day is named', () => {
  expect(words({ a: 1 }, { a: 1 }, 3 * 86_400_000)).toMatch(/since .*[A-Z][a-z]{2}/)
})
