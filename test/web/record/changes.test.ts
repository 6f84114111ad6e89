import { expect, test } from 'vitest'
import { readJsonText } from '../../../src/web/record/json-text.ts'
import { changesOf } from '../../../src/web/record/changes.ts'
import { fieldsOf } from '../../../src/web/record/fields.ts'

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

test('what differs is marked, with all that it is inside of', () => {
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

test('what is new and what is gone are named', () => {
  expect(changes('{"a":1,"toString":2}', '{"a":1,"constructor":2}')).toEqual({
    paths: ['/constructor'],
    changed: ['constructor'],
    removed: ['toString'],
  })
})
