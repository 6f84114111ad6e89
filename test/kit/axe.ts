/** Runs axe on a page as it is. @returns a line for each finding and each doubt */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** The number of places listed for each finding, which is enough to fix it. */
const PLACES = 3

const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules whose answers depend on colours, widths and the language. */
const OF_LOOKS = [
  'color-contrast',
  'html-has-lang',
  'html-lang-valid',
  'link-in-text-block',
  'scrollable-region-focusable',
  'target-size',
  'valid-lang',
]

/** @param isLookAlone tries the rules of looks alone, after all have been tried in another look */
export async function axeFinds(page: Page, isLookAlone = false): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(script)
  const { violations, incomplete } = await page.evaluate(run, isLookAlone ? OF_LOOKS : [])
  return [...violations, ...incomplete].flatMap(({ id, nodes }) =>
    nodes
      .slice(0, PLACES)
      .map(({ html, any, all, none }) => `${id} ${html}: ${[...any, ...all, ...none][0]?.message}`),
  )
}

/** Runs in the page. Axe cannot tell what lies behind the text of a drawing, or of an open menu or dialog. */
async function run(rules: string[]): Promise<AxeResults> {
  const layer = document.querySelector(':popover-open, :modal')
  const mains = layer === null ? [] : document.querySelectorAll<HTMLElement>('main')
  for (const main of mains) main.style.visibility = 'hidden'
  const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
  const found = await axe.run(
    { ...(layer && { include: [layer] }), exclude: ['svg text'] },
    { resultTypes: ['violations', 'incomplete'], ...(rules.length > 0 && { runOnly: rules }) },
  )
  for (const main of mains) main.style.visibility = ''
  return { ...found, passes: [], inapplicable: [] }
}
