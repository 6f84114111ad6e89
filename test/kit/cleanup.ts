/** Opens things for a test file, and ends them after its last test; a tool ends them itself. */
import { resolve } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll } from 'vitest'
import { launch } from './browser.ts'
import { type FontSetName, USUAL_FONTS } from './fonts.ts'
import { type AppProcess, startAppProcess } from './app-process.ts'

const opened: (() => unknown)[] = []

/** The last one first: an app still writes into a folder that was made for it. */
export async function endAll(): Promise<void> {
  for (const end of opened.splice(0).toReversed()) await end()
}
// A tool has no test file.
if (process.env['VITEST']) afterAll(endAll)

/** @param end runs after the last test of the file */
export const endLater = (end: () => unknown): void => void opened.push(end)

/** Its clock, which is the embedded sandbox's too, is in the middle of a month. */
export async function openApp(
  settings: Record<string, string> = {},
  flags?: readonly string[],
  fd?: number,
): Promise<AppProcess> {
  const preload = { NODE_OPTIONS: `--import=${resolve('test/kit/clock-preload.mjs')}` }
  const hasSandbox = settings['PLIMSOLL_SERVICE_URL'] === undefined
  const running = await startAppProcess({ ...(hasSandbox && preload), ...settings }, flags, fd)
  endLater(running.stop)
  return running
}

/** One for all test files of a process, which playwright ends with it; a tool ends its own. */
export async function openBrowser(fonts: FontSetName = USUAL_FONTS): Promise<Browser> {
  if (!process.env['VITEST']) {
    const browser = await launch(fonts)
    endLater(() => browser.close())
    return browser
  }
  const browser = await (globalThis.browsersUnderTest[fonts] ??= launch(fonts))
  endLater(() => Promise.all(browser.contexts().map((context) => context.close())))
  return browser
}

declare global {
  /** By their fonts. It outlives the modules of a test file. */
  var browsersUnderTest: Partial<Record<FontSetName, Promise<Browser>>>
}
globalThis.browsersUnderTest ??= {}
