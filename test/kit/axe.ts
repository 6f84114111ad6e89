/** Runs axe on a page as it is. @returns a line for each finding and each doubt */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** The number of places listed for each finding, which is enough to fix it. */
const PLACES = 3

const LAYER = ':is(:popover-open, :modal)'
const showMain = (page: Page, isShown: boolean): Promise<unknown> =>
  page.locator('main').evaluateAll(
    (mains, visibility) => {
      for (const main of mains) (main as HTMLElement).style.visibility = visibility
    },
    isShown ? '' : 'hidden',
  )

export async function axeFinds(page: Page): Promise<string[]> {
  // Axe runs in the page itself: a blank page for the results, and the passed rules, would take most of the
  // time. Axe is in doubt about what lies behind the text of a drawing, and of an open menu or dialog.
  const axe = new AxeBuilder({ page }).setLegacyMode().exclude('svg text')
  const isLayered = await page.locator(LAYER).isVisible()
  if (isLayered) axe.include(LAYER)
  await showMain(page, !isLayered)
  const { violations, incomplete } = await axe
    .options({ resultTypes: ['violations', 'incomplete'] })
    .analyze()
  await showMain(page, true)
  return [...violations, ...incomplete].flatMap(({ id, nodes }) =>
    nodes
      .slice(0, PLACES)
      .map(({ html, any, all, none }) => `${id} ${html}: ${[...any, ...all, ...none][0]?.message}`),
  )
}
