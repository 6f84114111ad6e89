/** What axe finds on a page as it is, in light and dark: a line for each finding. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

export async function axeFinds(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const { violations } = await new AxeBuilder({ page }).analyze()
    found.push(...violations.map(({ id, nodes }) => `${colorScheme}: ${id} ${nodes[0]?.html}`))
  }
  return found
}
