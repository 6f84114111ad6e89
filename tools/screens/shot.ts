import type { BrowserContext, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { sidewaysFaults } from '../../test/browser/_layout-faults.ts'

export interface Look {
  width: number
  colorScheme: 'light' | 'dark'
}

/** In pixels. */
const LEAST_HEIGHT = 600

/** The errors of all pages since the last look at them. */
const errors: string[] = []

export function noteErrors(context: BrowserContext): void {
  context.on('weberror', (error) => errors.push(String(error.error())))
  context.on('console', (message) => {
    // A 4xx or a lost connection belongs to the state that is shown.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      errors.push(message.text())
  })
}

export const foundErrors = (): string[] => errors.splice(0)

interface Part {
  of?: Locator
  /** In pixels. */
  height?: number
}

/** Takes a screenshot of the page from its top, or of a part. @throws Error if it is wider than its window */
export async function shoot(
  page: Page,
  path: string,
  { width, colorScheme }: Look,
  part: Part = {},
): Promise<void> {
  await page.emulateMedia({ colorScheme })
  expect.soft(await sidewaysFaults(page, [width]), path).toEqual([])
  await page.mouse.move(0, 0)
  await page.evaluate(() => document.fonts.ready.then(() => scrollTo(0, 0)))
  if (part.of) {
    await part.of.screenshot({ path })
    return
  }
  await page.setViewportSize({ width, height: LEAST_HEIGHT })
  const tallest = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height: Math.min(tallest, part.height ?? tallest) })
  await page.screenshot({ path })
}
