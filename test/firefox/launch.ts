/** Debian's Firefox as the browser under test, over WebDriver BiDi. */
import { join, resolve } from 'node:path'
import { firefox, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { findFirefox } from './find.ts'

const PREFERENCES = {
  // A page that has read one of these lists, as axe does, crashes when playwright reads it too.
  'accessibility.ARIAElementReflection.enabled': false,
  // As in headless Chromium, so that pages have the same width.
  'ui.useOverlayScrollbars': 1,
  'dom.events.testing.asyncClipboard': true,
  // A style sheet of the launcher hides the toolbars.
  'toolkit.legacyUserProfileCustomizations.stylesheets': true,
}

/** @param fonts a folder with its fonts and their fonts.conf */
export async function launchFirefox(fonts: string): Promise<Browser> {
  const path = findFirefox()
  if (path === undefined)
    throw new Error('No Firefox: `apt-get install firefox-esr`, or set FIREFOX to the path of one')
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath: resolve('test/firefox/launcher.mjs'),
    firefoxUserPrefs: {
      ...PREFERENCES,
      'security.sandbox.content.read_path_whitelist': `${fonts}/`,
    },
    args: ['--remote-allow-system-access'],
    env: { ...process.env, FIREFOX: path, FONTCONFIG_FILE: join(fonts, 'fonts.conf') },
  })
  emulateMedia(browser)
  return browser
}

type Media = NonNullable<Parameters<Page['emulateMedia']>[0]>

/** playwright sends no medium, forced colours or reduced motion: the launcher gets them as a script. */
function emulateMedia(browser: Browser): void {
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options = {}) => {
    const context = await newContext(options)
    const { colorScheme = 'light', reducedMotion = null, forcedColors = null } = options
    await context.addInitScript(insertTextAsTyped)
    await send(context, { colorScheme, reducedMotion, forcedColors })
    context.on('page', (page) => {
      page.emulateMedia = (media = {}) => send(page, media)
    })
    return context
  }
}

async function send(to: Page | BrowserContext, media: Media): Promise<void> {
  await to.addInitScript({ content: `plimsoll-media ${JSON.stringify(media)} end` })
}

/** Runs in the page: playwright sets the value of a field by a script, which React does not notice. */
function insertTextAsTyped(): void {
  const insertText = (text: string) => document.execCommand('insertText', false, text)
  Object.defineProperty(globalThis, '__pw_bidiInsertText', { get: () => insertText, set: () => {} })
}
