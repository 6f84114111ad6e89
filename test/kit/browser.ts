// The only place that knows where a browser is and how to start it.
import { createRequire } from 'node:module'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type Packed from '@sparticuz/chromium'
import { chromium, type Browser, type BrowserContext } from 'playwright-core'
import { fontsEnvironment, fontsFolder, type FontSetName, USUAL_FONTS } from './fonts.ts'
import { withPatience } from './until.ts'
import { findProgram } from './program.ts'
import { launchFirefox } from '../firefox/launch.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const UNPACKED = resolve('node_modules/.cache/plimsoll-chromium')

export interface FoundBrowser {
  path: string
  /** The variables that only the browser's own process gets. */
  env: Record<string, string>
}

/**
 * $CHROME, the headless shell inside npm, or an installed Chromium or Chrome, in this order. The shell is the
 * same on each machine, and needs a third of the time of a whole Chromium, which opens pages of its own for
 * each window.
 * @param fonts the fonts that it has for texts
 */
export async function findBrowser(fonts: FontSetName = USUAL_FONTS): Promise<FoundBrowser> {
  const env = fontsEnvironment(fonts)
  // If the path is wrong, the browser itself reports it.
  if (process.env.CHROME) return { path: process.env.CHROME, env }
  try {
    const unpacked = await unpackBrowser()
    return { path: unpacked.path, env: { ...unpacked.env, ...env } }
  } catch (cause) {
    const installed = findProgram(NAMES)
    if (installed) return { path: installed, env }
    throw new Error(
      'No browser: `apt-get install chromium`, or set CHROME to the path of a Chromium or Chrome',
      { cause },
    )
  }
}

/** The browser under test, which the vitest project chooses. */
export const IS_FIREFOX = process.env.BROWSER_UNDER_TEST === 'firefox'

/** Starts the browser under test, with fonts of its own. */
export async function launch(fonts: FontSetName): Promise<Browser> {
  if (IS_FIREFOX) return withPatience(await launchFirefox(fontsFolder(fonts)))
  const { path, env } = await findBrowser(fonts)
  const browser = await chromium.launch({
    executablePath: path,
    args: ARGS,
    env: { ...process.env, ...env },
  })
  return withPatience(browser)
}

/** Lets the pages read the clipboard; Firefox has a preference for it. */
export async function allowClipboard(context: BrowserContext): Promise<void> {
  if (!IS_FIREFOX) await context.grantPermissions(['clipboard-read', 'clipboard-write'])
}

/**
 * @sparticuz/chromium unpacks into the temporary folder, file by file, and uses whatever is there. So it gets
 * a folder of its own, which is renamed when it is complete. The package also sets LD_LIBRARY_PATH and
 * FONTCONFIG_PATH for the whole process: both are reset, and only the browser gets the first.
 */
async function unpackBrowser(): Promise<FoundBrowser> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('The browser inside npm is for Linux on x64.')
  if (!existsSync(UNPACKED)) {
    const before = { ...process.env }
    mkdirSync(dirname(UNPACKED), { recursive: true })
    const half = mkdtempSync(`${UNPACKED}-`)
    try {
      Object.assign(process.env, { TMPDIR: half, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' })
      // Not import(): a script that has loaded this file through Vite has closed its loader by now.
      const packed = createRequire(import.meta.url)('@sparticuz/chromium') as typeof Packed
      await packed.executablePath()
      renameSync(half, UNPACKED)
    } catch (error) {
      if (!existsSync(UNPACKED)) throw error
    } finally {
      rmSync(half, { recursive: true, force: true })
      for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
      Object.assign(process.env, before)
    }
  }
  return { path: join(UNPACKED, 'chromium'), env: { LD_LIBRARY_PATH: join(UNPACKED, 'al2023/lib') } }
}
