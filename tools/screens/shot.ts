import type { Locator, Page } from 'playwright-core'

export interface Look {
  width: number
  colorScheme: 'light' | 'dark'
}

/** In pixels. */
const LEAST_HEIGHT = 600

/** Takes a screenshot of the page from its top, or of a part. @param height in pixels, at most */
export async function shoot(
  page: Page,
  path: string,
  { width, colorScheme }: Look,
  { of, height }: { of?: Locator; height?: number } = {},
): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize({ width, height: LEAST_HEIGHT })
  await page.mouse.move(0, 0)
  await page.evaluate(() => document.fonts.ready.then(() => scrollTo(0, 0)))
  if (of) await of.screenshot({ path })
  else if (height === undefined) await page.screenshot({ path, fullPage: true })
  else await page.screenshot({ path, fullPage: true, clip: { x: 0, y: 0, width, height } })
}
