import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvOf } from '../../../src/bff/quota/csv.ts'
import type { Person } from '../../kit/person.ts'
import { STANDARD } from '../../kit/app.ts'
import { reading } from '../_reservation.ts'
import { told } from '../_answers.ts'
import { signedIn } from '../_signed-in.ts'
import { addSent } from './_requests.ts'

/** The bytes as the browser saves them. */
async function fileOf(browser: Person, path: string): Promise<string> {
  const { headers, body } = await browser.fetch(path, { headers: { 'X-CSRF': '1' } })
  expect(headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await new Response(body).arrayBuffer())
}

test('the file of the ledger has the whole month, newest first, and costs nothing (8.3)', async () => {
  const { fixture, browser } = await signedIn()
  await browser.request('PUT', '/bff/browser', { json: { name: '＝1;=2' } })
  const atMs = fixture.now() - 1000
  const old = { kind: 'rate_limit', outcome: 'uncertain' } as const
  await addSent(
    fixture,
    Array.from({ length: 300 }, (_, nth) => ({ ...old, atMs: atMs - nth })),
  )
  const sent = fixture.sent.length
  const lines = (await fileOf(browser, '/bff/ledger?format=csv')).split('\r\n')
  expect(lines[0]).toBe('\uFEFFat,kind,initiator,by,outcome,status,counts,browser')
  // Two requests of one millisecond have no order.
  expect(lines.slice(1, 3)).toContain(
    `2026-11-21T06:00:00.000Z,api.read,sign_in,you,settled,200,yes,"'＝1;'=2"`,
  )
  expect(lines[3]).toBe('2026-11-21T05:59:59.000Z,rate_limit,person,another,uncertain,,unknown,')
  const times = lines.slice(1, -1).map((line) => line.slice(0, 24))
  expect(times).toHaveLength(302)
  expect(times.toSorted().toReversed()).toEqual(times)
  expect(lines.at(-1)).toBe('')
  expect(fixture.sent).toHaveLength(sent)
})

test('the file of the months has a row for each, below the names (8.3)', async () => {
  const { fixture, browser } = await signedIn()
  await fixture.store.addReading(STANDARD, reading(88, Date.parse('2026-10-21')))
  expect(await fileOf(browser, '/bff/months?format=csv')).toBe(
    [
      '\uFEFFmonth,low,high,others_low,others_high,others_read_on,plan,limit,ran_out_on',
      '2026-11,1,2,,,,standard,100,',
      '2026-10,0,0,88,88,2026-10-21,,,',
      '',
    ].join('\r\n'),
  )
})

const REFUSED = ['ledger?format=xls', 'months?format=', 'months?next=1', 'ledger/days?format=csv']
test.each(REFUSED)('%s is refused (RFC 9110 4.2.2)', async (path) => {
  const { browser } = await signedIn()
  expect(await told(browser.request('GET', `/bff/${path}`))).toBe('400 invalid_request')
})

test('a row is a line in the order of the names, and an absent value is empty (RFC 4180 2)', () => {
  const rows = [{ a: 'x', b: 1 }, { a: 'y' }] as { a: string; b?: number }[]
  expect(csvOf(['b', 'a'], rows)).toBe('b,a\r\n1,x\r\n,y\r\n')
})

test.each([
  ['a "word"', '"a ""word"""'],
  ['a,b', '"a,b"'],
  ['a\nb', '"a\nb"'],
  ['=1+1', "'=1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['＝1+1', "'＝1+1"],
  [' =1', "' =1"],
  ['x, ＝1', `"x,' ＝1"`],
  ['x;"=1;"', `"x;'""=1;"""`],
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
