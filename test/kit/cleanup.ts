/** Opens things for a test file, and ends them after its last test; a tool ends them itself. */
import type { Browser } from 'playwright-core'
import { afterAll } from 'vitest'
import { launch } from './browser.ts'
import type { FontSetName } from './fonts.ts'
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

export async function openApp(...options: Parameters<typeof startAppProcess>): Promise<AppProcess> {
  const running = await startAppProcess(...options)
  endLater(running.stop)
  return running
}

export async function openBrowser(fonts?: FontSetName): Promise<Browser> {
  const browser = await launch(fonts === undefined ? {} : { fonts })
  endLater(() => browser.close())
  return browser
}
