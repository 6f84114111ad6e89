/** Runs axe on a page as it is, in light and dark. @returns a line for each finding */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { IS_WHOLE } from '../_extent.ts'

/** The number of places listed for each finding, which is enough to fix it. */
const PLACES = 3

/** The page is the same in both browsers, and each look takes seconds. */
const IS_LEFT_OUT = process.env['BROWSER_UNDER_TEST'] === 'firefox' && !IS_WHOLE

const LAYER = ':is(:popover-open, :modal)'
const showMain = (page: Page, isShown: boolean): Promise<unknown> =>
  page.locator('main').evaluateAll(
    (mains, visibility) => {
      for (const main of mains) (main as HTMLElement).style.visibility = visibility
    },
    isShown ? '' : 'hidden',
  )

/** @param doubts also returns what axe cannot decide */
export async function axeFinds(page: Page, { doubts = false } = {}): Promise<string[]> {
  if (IS_LEFT_OUT) return []
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    // Axe runs in the page itself: a blank page for the results, and the passed rules, would take most of the
    // time.
    const axe = new AxeBuilder({ page }).setLegacyMode()
    // Axe is in doubt about what lies behind the text of a drawing, and of an open menu or dialog.
    if (doubts) axe.exclude('svg text')
    const isLayered = doubts && (await page.locator(LAYER).isVisible())
    if (isLayered) axe.include(LAYER)
    await showMain(page, !isLayered)
    const { violations, incomplete } = await axe
      .options({ resultTypes: ['violations', 'incomplete'] })
      .analyze()
    await showMain(page, true)
    for (const { id, nodes } of doubts ? [...violations, ...incomplete] : violations)
      for (const { html, any, all, none } of nodes.slice(0, PLACES))
        found.push(`${colorScheme}: ${id} ${html}: ${[...any, ...all, ...none][0]?.message}`)
  }
  return found
}
