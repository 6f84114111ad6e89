// The page of the last months in a real browser: from the ledger, its file, and twelve months in any window.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { MonthUse } from '../../src/contract/months.ts'
import { openSignedIn } from '../kit/page.ts'
import { speak } from '../kit/page.ts'

const STANDARD = { plan: 'standard', limit: 100 } as const
const NAMES = ['11', '10', '09', '08', '07', '06', '05', '04', '03', '02', '01'].map((name) => `2026-${name}`)
const TWELVE: MonthUse[] = [...NAMES, '2025-12'].map((month, nth) => ({
  month,
  low: 7 * nth,
  high: 7 * nth + 5,
  ...((nth % 3 === 1 || nth === 2) && {
    others: { low: 20, high: 22, read_on: `${month}-${nth === 1 ? '21' : '29'}` },
  }),
  ...(nth < 8 && STANDARD),
  ...(nth === 4 && { ran_out_on: '2026-07-28' }),
  ...(nth === 11 && { high: 110 }),
  ...(nth === 9 && { plan: 'business' as const, low: 1180, high: 1204 }),
}))

const { page, url } = await openSignedIn()

async function download(name: string): Promise<string[]> {
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name }).click()
  const saved = await file
  expect(saved.suggestedFilename()).toBe('plimsoll-months.csv')
  return (await readFile(await saved.path(), 'utf8')).split('\r\n')
}

test('the ledger leads to the months; a new organization has one, in the table and the file (8.3)', async () => {
  await page.goto(`${url}/ledger`)
  await page.getByRole('link', { name: 'The months before' }).click()
  await page.getByText('This is the first month that this app knows.', { exact: false }).waitFor()
  expect(await page.locator('tbody tr').count()).toBe(1)
  const [, row = ''] = await download('Download CSV')
  expect(row).toMatch(/^20\d\d-\d\d,1,1,,,,standard,100,$/)
  expect(await page.locator('tbody tr').textContent()).toContain('1 usedothers unknown')
})

test.each([
  [
    'en',
    'Download CSV',
    'would certainly have been enough in 3 of 12 months. Not in Jul 2026, Feb 2026.' +
      ' Not certain, still running: Nov 2026.' +
      ' Not certain, others unknown: Aug 2026, Jun 2026, May 2026, Mar 2026, Dec 2025.' +
      ' Not certain, last count entered too early: Oct 2026.',
  ],
  [
    'ja',
    'CSVをダウンロード',
    '12か月のうち3か月で確実に足りました。足りない月：2026年7月、2026年2月。はっきりしない月（まだ途中）：2026年11月。' +
      'はっきりしない月（ほかのアプリの分が不明）：' +
      '2026年8月、2026年6月、2026年5月、2026年3月、2025年12月。' +
      'はっきりしない月（最後の入力が早すぎる）：2026年10月。',
  ],
] as const)('twelve months in %s fit every window (WCAG 1.4.10)', async (...row) => {
  const [language, button, sentence] = row
  await page.route('**/bff/months', (route) => route.fulfill({ json: { months: TWELVE } }))
  await page.goto(`${url}/months`)
  await page.locator('tbody tr').nth(11).waitFor()
  if (language === 'ja') await speak(page, language)
  await page.getByText(sentence).waitFor()
  expect((await download(button)).slice(0, 3)).toEqual([
    '\uFEFFmonth,low,high,others_low,others_high,others_read_on,plan,limit,ran_out_on',
    '2026-11,0,5,,,,standard,100,',
    '2026-10,7,12,20,22,2026-10-21,standard,100,',
  ])
  for (const width of [320, 375, 768, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }
  await page.unroute('**/bff/months')
})
