import { expect, test } from 'vitest'
import { fieldsOf } from '../../../../src/web/record/fields.ts'
import { AT_FIRST, EXPANDED, openBranches } from '../../../../src/web/record/tree/open.ts'
import { searchFields } from '../../../../src/web/record/search.ts'

const rows = (count: number) => Array.from({ length: count }, (_, at) => ({ at, list: [{ at }] }))

test('a small record is open down to the third level', () => {
  const record = { a: { b: { c: { d: { e: 1 } } } } }
  const open = openBranches(fieldsOf(record), AT_FIRST)
  expect([record.a, record.a.b, record.a.b.c].map((branch) => open.has(branch))).toEqual([true, true, true])
  expect(open.has(record.a.b.c.d)).toBe(false)
})

test('the members of an organization are open beside many other fields', () => {
  const record = { ...Object.fromEntries(rows(40).map((row, at) => [`a${at}`, row])), members: rows(20) }
  expect(openBranches(fieldsOf(record), AT_FIRST).has(record.members)).toBe(true)
})

test('"all" is never more than a page can show at once', () => {
  const record = { rows: rows(5000), others: rows(5000) }
  const open = openBranches(fieldsOf(record), EXPANDED)
  expect(open.has(record.rows)).toBe(true)
  expect(open.size).toBeLessThan(EXPANDED.mostRows)
})

test('a search opens only the branches with a match', () => {
  const record = { a: { x: 'match' }, b: { y: 'other' } }
  const fields = fieldsOf(record)
  const found = searchFields(fields, 'match').next()
  if (found.done !== true) throw new Error('found in one step')
  const open = openBranches(fields, EXPANDED, found.value)
  expect([open.has(record.a), open.has(record.b)]).toEqual([true, false])
})

test('short items of a list are closed at first, because one line shows them, and objects are open', () => {
  const record = { members: [{ id: 1, name: 'Ada' }, { tasks: [{ a: [] }] }], address: { city: 'x' } }
  const open = openBranches(fieldsOf(record), AT_FIRST)
  expect(
    [record.members[0], record.members[1], record.address].map((one) => open.has(one as object)),
  ).toEqual([false, true, true])
  expect(openBranches(fieldsOf(record), EXPANDED).has(record.members[0] as object)).toBe(true)
})
