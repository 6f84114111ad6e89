import * as fc from 'fast-check'
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
  ['＝1+1', "'＝1+1"],
  ['＋', "'＋"],
  ['－', "'－"],
  ['＠SUM(A1)', "'＠SUM(A1)"],
  [' =1', "' =1"],
  ['x;=1+1', `"x;'=1+1"`],
  ['x, ＝1', `"x,' ＝1"`],
  ['x;"=1;"', `"x;'""=1;"""`],
  ['a;b', '"a;b"'],
  ['\tx', `"'\tx"`],
  ['\r=x', `"'\r'=x"`],
  ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
  ['a=b', 'a=b'],
])('the field %j is written as %j, so that a spreadsheet runs none of it (RFC 4180 2)', (field, written) => {
  expect(csvOf(['field'], [{ field }])).toBe(`field\r\n${written}\r\n`)
})

/** A quote holds only where a cell begins with it, as in a spreadsheet that splits at another separator. */
function cellsOf(text: string, separator: string): string[] {
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"?)?([^${separator}\r\n]*)(?:${separator}|\r\n|[\r\n])`, 'g')
  return [...text.matchAll(cell)].map(([, quoted = '', rest = '']) => quoted.replaceAll('""', '"') + rest)
}

test('no cell of any text begins like a formula, whatever separator the spreadsheet splits at', () => {
  const part = fc.constantFrom(...'=+-@＝＋－＠;,\t\r\n"\' 　x'.split(''), '";=1+1', ';"=1;"')
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const file = csvOf(['at', 'name', 'next'], [{ at: '2026', name: parts.join(''), next: 'y' }])
      for (const separator of [',', ';', '\t'])
        for (const cell of cellsOf(file, separator)) expect(cell).not.toMatch(/^\s*[=+\-@＝＋－＠]/)
      expect(cellsOf(file, ',')).toHaveLength(6)
      expect(cellsOf(file, ',')[4]?.replaceAll("'", '')).toBe(parts.join('').replaceAll("'", ''))
    }),
    { numRuns: 2000 },
  )
})
