/** The limits of all waits. They end tests that hang, and measure no speed. */
import type { Browser } from 'playwright-core'
import { setTimeout as wait } from 'node:timers/promises'

/** For a single wait of a test. */
export const PATIENCE_MS = 15_000
/** For a whole test, its set-up and its clean-up. */
export const TEST_MS = 600_000

export function withPatience(browser: Browser): Browser {
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext(options)
    context.setDefaultTimeout(PATIENCE_MS)
    return context
  }
  return browser
}

/** @throws Error if it is not met in time */
export async function until(isMet: () => boolean | Promise<boolean>, withinMs = PATIENCE_MS): Promise<void> {
  for (const startedAtMs = performance.now(); !(await isMet()); await wait(5))
    if (performance.now() - startedAtMs > withinMs)
      throw new Error(`not after ${withinMs} ms: ${isMet.toString()}`)
}
