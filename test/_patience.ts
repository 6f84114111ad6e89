/** The only limits of waiting: against what hangs, not for speed. No wait that ends takes longer for them. */
import type { Browser } from 'playwright-core'

/** For one thing that a test waits for. */
export const PATIENCE_MS = 120_000
/** For a whole test, and for what is done before and after it. */
export const TEST_MS = 600_000

/** Lets each page of the browser wait as long. */
export function withPatience(browser: Browser): Browser {
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext(options)
    context.setDefaultTimeout(PATIENCE_MS)
    return context
  }
  return browser
}
