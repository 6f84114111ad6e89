import { expect, test } from 'vitest'
import { csvOf } from '../../../src/web/lib/csv.ts'

test('a row is a line in the order of the names, and an absent value is empty (RFC 4180 2)', () => {
  const rows = [{ a: 'x', b: 1 }, { a: 'y' }] as { a: string; b?: number }[]
  expect(csvOf(['b', 'a'], rows)).toBe('b,a\r\n1,x\r\n,y\r\n')
})

test.each([
  ['a "word"', '"a ""word"""'],
  ['a,b', '"a,b"'],
  ['a\nb', '"a\nb"'],
  ['a\rb', '"a\rb"'],
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', "'\tx"],
  ['\r=x', '"\'\r=x"'],
  ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
  ['a=b', 'a=b'],
])('the field %j is written as %j, so that a spreadsheet runs none of it (RFC 4180 2)', (field, written) => {
  expect(csvOf(['field'], [{ field }])).toBe(`field\r\n${written}\r\n`)
})
