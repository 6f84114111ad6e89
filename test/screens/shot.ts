// Takes the screenshots of a state, and checks that nothing is wider than the page.
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'

const SCHEMES = ['light', 'dark'] as const
/** How much of a long page is shown, in pixels, by whether it is wide. */
const HEIGHTS = { wide: 1000, narrow: 1500 }

interface ShotOptions {
  /** A part of the page; absent: all of it from the top. */
  of?: Locator
  /** However long it is. */
  isWhole?: boolean
}

export type Shoot = (name: string, page: Page, options?: ShotOptions) => Promise<void>

/** @param widths in pixels @param complain takes what is wrong with a shot, as a line */
export const shooter =
  (folder: string, widths: readonly number[], complain: (line: string) => void): Shoot =>
  async (name, page, { of, isWhole = false } = {}) => {
    for (const width of widths) {
      await page.setViewportSize({ width, height: width < 600 ? HEIGHTS.narrow : HEIGHTS.wide })
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme })
        await page.evaluate(() => scrollTo(0, 0))
        const shot = `${name}-${colorScheme}-${width}.png`
        for (const wide of await page.evaluate(tooWide)) complain(`${shot}: ${wide}`)
        const path = join(folder, shot)
        if (of) await of.screenshot({ path })
        else await page.screenshot({ path, fullPage: isWhole })
      }
    }
  }

/** Runs in the page: what is wider than it, or than its own box. */
function tooWide(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement
  return scrollWidth > clientWidth ? [`${scrollWidth} of ${clientWidth} pixels wide`] : []
}
