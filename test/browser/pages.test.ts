// The pages beside the organization's, in each language, from a watch to a wide screen.
import { beforeAll, expect, test } from 'vitest'
import { axeFinds } from '../kit/axe.ts'
import { openSignedIn } from '../kit/page.ts'

const WIDTHS = [256, 320, 650, 768, 810, 1280, 1920]
const { page, url } = await openSignedIn()

beforeAll(async () => {
  // With a reading the chart has all its lines.
  await page.evaluate(async () => {
    const headers = { 'X-CSRF': '1', 'Content-Type': 'application/json' }
    const body = JSON.stringify({ count: 30 })
    const { status } = await fetch('/bff/readings', { method: 'POST', headers, body })
    if (status !== 201) throw new Error(`The reading is refused: ${status}`)
  })
})

/** Opens a page in a language, with everything on it unfolded. */
async function open(path: string, language: string, heading: string): Promise<void> {
  await page.addInitScript((name) => localStorage.setItem('plimsoll.language', name), language)
  await page.goto(url + path)
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
  if (path === '/ledger') await page.locator('figure').waitFor()
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true
  })
}

/** Elements that are wider than the window, by width and size of the text. */
async function tooWide(): Promise<string[]> {
  const found: string[] = []
  for (const size of ['100%', '200%'])
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      const beyond = await page.evaluate((fontSize) => {
        const root = document.documentElement
        root.style.fontSize = fontSize
        if (root.scrollWidth <= root.clientWidth) return []
        return [...document.querySelectorAll('body *')]
          .filter((element) => element.getBoundingClientRect().right > root.clientWidth)
          .map(({ tagName, className }) => `${tagName}.${className}`)
      }, size)
      if (beyond.length > 0) found.push(`${width} px, ${size}: ${[...new Set(beyond)].join(', ')}`)
    }
  return found
}

test.each([
  ['/ledger', 'en', 'Ledger'],
  ['/ledger', 'ja', 'リクエストの記録'],
  ['/months', 'en', 'The months before'],
  ['/months', 'ja', '過去の月'],
  ['/links', 'en', 'Watch links'],
  ['/links', 'ja', '閲覧リンク'],
  ['/learnt', 'en', 'How limits are counted'],
  ['/learnt', 'ja', '回数の数え方'],
  ['/sessions', 'en', 'Your sessions'],
  ['/sessions', 'ja', '自分のセッション'],
])(
  '%s in %s is never wider than the window, and axe finds and doubts nothing (WCAG 1.4.4, 1.4.10)',
  async (path, language, heading) => {
    await open(path, language, heading)
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(language)
    expect(await tooWide()).toEqual([])
    await page.evaluate(() => document.documentElement.removeAttribute('style'))
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await axeFinds(page, { doubts: true })).toEqual([])
    }
  },
)
