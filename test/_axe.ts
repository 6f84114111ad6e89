/** What axe finds on a page as it is, in light and dark: a line for each finding. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** @param doubts also what axe cannot decide */
export async function axeFinds(page: Page, { doubts = false } = {}): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    // In the page itself: a blank page for the results, and what passes, would take most of the time.
    const axe = new AxeBuilder({ page }).setLegacyMode()
    const { violations, incomplete } = await axe
      .options({ resultTypes: ['violations', 'incomplete'] })
      .analyze()
    const findings = doubts ? [...violations, ...incomplete] : violations
    found.push(...findings.map(({ id, nodes }) => `${colorScheme}: ${id} ${nodes[0]?.html}`))
  }
  return found
}
