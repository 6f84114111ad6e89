import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { withPalette } from './png.ts'
import { isPageState } from './page-states.ts'
import type { StateName } from './states.ts'

const SCHEMES = ['light', 'dark'] as const

/** States of the page itself differ less: no dark and narrow screenshot. */
const isTaken = (name: StateName, scheme: (typeof SCHEMES)[number], width: number): boolean =>
  !(isPageState(name) && scheme === 'dark' && width < NARROW)

const NARROW = 600
/** The largest height of a screenshot, in pixels; of a long page it is twice as much. */
const HEIGHTS = { wide: 1000, narrow: 1300 }

interface ShotOptions {
  /** A part of the page; absent means all of it from the top. */
  of?: Locator
  /** The largest height of the part, in pixels. */
  height?: number
  isLong?: boolean
}

export type Shoot = (name: StateName, page: Page, options?: ShotOptions) => Promise<void>

/** @param widths in pixels @param complain takes a line for each fault */
export const shooter =
  (folder: string, widths: readonly number[], complain: (line: string) => void): Shoot =>
  async (name, page, { of, height: most = Infinity, isLong = false } = {}) => {
    for (const width of widths) {
      const atMost = (width < NARROW ? HEIGHTS.narrow : HEIGHTS.wide) * (isLong ? 2 : 1)
      await page.setViewportSize({ width, height: 600 })
      const height = Math.min(atMost, await page.evaluate(() => document.documentElement.scrollHeight))
      await page.setViewportSize({ width, height })
      for (const colorScheme of SCHEMES) {
        if (!isTaken(name, colorScheme, width)) continue
        await page.emulateMedia({ colorScheme })
        await page.mouse.move(0, 0)
        // The support id is another one in each run.
        for (const id of await page.locator('[role=alert] code').all())
          await id.evaluate((element) => (element.textContent = 'kUHKvl-NSPRg'))
        await page.evaluate(() => scrollTo(0, 0))
        const shot = `${name}-${colorScheme}-${width}.png`
        for (const wide of await page.evaluate(tooWide)) complain(`${shot}: ${wide}`)
        writeFileSync(
          join(folder, shot),
          withPalette(await (of ? partOf(page, of, most) : page.screenshot())),
        )
      }
    }
  }

async function partOf(page: Page, part: Locator, most: number): Promise<Buffer> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await part.boundingBox()) ?? {}
  return page.screenshot({ fullPage: true, clip: { x, y, width, height: Math.min(height, most) } })
}

/** Runs in the page. @returns by how much, and the innermost elements that reach beyond it */
function tooWide(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth <= clientWidth) return []
  const beyond = [...document.querySelectorAll('body *')].filter(
    (element) => element.getBoundingClientRect().right > clientWidth,
  )
  const names = beyond.map(({ tagName, className }) => `${tagName}.${className}`)
  return [`${scrollWidth} of ${clientWidth} pixels wide: ${[...new Set(names)].slice(-3).join(', ')}`]
}
