// The paths on which browsers differ most, in the engine of Safari.
import { By, type WebDriver, type WebElement } from 'selenium-webdriver'
import { expect, test } from 'vitest'
import { IS_WHOLE } from '../_extent.ts'
import { endLater, openApp } from '../kit/cleanup.ts'
import { openDeployment } from '../kit/deployment.ts'
import { putNginx } from '../kit/machine.ts'
import { findProgram } from '../kit/program.ts'
import { PATIENCE_MS } from '../kit/until.ts'
import { openWebKit } from './_launch.ts'

type Act = (element: WebElement) => Promise<void>

/** Tries again while one page, or what a script draws, replaces the other. */
const act = (driver: WebDriver, what: By, run: Act): Promise<boolean> =>
  driver.wait(
    () =>
      driver
        .findElement(what)
        .then(run)
        .then(
          () => true,
          () => false,
        ),
    PATIENCE_MS,
    String(what),
  )
const press = (driver: WebDriver, name: string) =>
  act(driver, By.xpath(`//button[contains(normalize-space(.), '${name}')]`), (button) => button.click())
/** One of the texts. */
const shows = (driver: WebDriver, ...texts: string[]) => {
  const isShown = texts.map((text) => `contains(normalize-space(.), '${text}')`).join(' or ')
  return act(driver, By.xpath(`//main[${isShown}]`), async () => {})
}

const SIGN_IN_HINT = 'the address of your project list'

/** In two windows. @returns the text that the first one shows after the sign-out and the back button */
async function signInPressSignOut(driver: WebDriver, url: string): Promise<string> {
  await driver.get(url)
  await act(driver, By.css('form input'), (field) => field.sendKeys('1001'))
  await press(driver, 'Sign in ·')
  await press(driver, 'Ada')
  await press(driver, 'Permit')
  await shows(driver, 'At most 99')
  const [first = ''] = await driver.getAllWindowHandles()

  await driver.switchTo().newWindow('window')
  const second = await driver.getWindowHandle()
  await driver.get(url)
  await shows(driver, 'At most 99')
  await driver.switchTo().window(first)
  await press(driver, 'Refresh')
  await driver.switchTo().window(second)
  await shows(driver, 'At most 98')
  // On a slow machine a new minute has begun since the sign-in.
  await shows(driver, '58 of 60 left', '59 of 60 left')
  await shows(driver, 'You read the organization')

  await driver.switchTo().window(first)
  await act(driver, By.linkText('Ledger'), (link) => link.click())
  await shows(driver, '3 requests this month')
  await act(driver, By.id('account-button'), (button) => button.click())
  await act(driver, By.id('account-menu'), async (menu) => {
    // It ends with its content. A grid would take the height of the window here.
    if ((await menu.getRect()).height > 600) throw new Error('too high')
  })
  await press(driver, 'Sign out')
  await shows(driver, 'You are signed out')
  // This window may take over the stream before it hears of the sign-out. Then it says: the session ended.
  await driver.switchTo().window(second)
  await shows(driver, SIGN_IN_HINT)
  await driver.switchTo().window(first)
  await driver.navigate().back()
  await shows(driver, SIGN_IN_HINT)
  return driver.findElement(By.css('body')).getText()
}

/** @returns the address of the app of docs/deploy.md, behind its nginx */
async function openBehindNginx(): Promise<string> {
  const { machine, run, close } = await openDeployment({})
  endLater(close)
  putNginx(machine)
  await run('One machine with SQLite')
  return machine.localize('https://plimsoll.example.com')
}

const OVER_HTTP = ['http on localhost', async () => (await openApp()).url] as const
const OVER_HTTPS = ['https behind nginx', openBehindNginx] as const

test.each(IS_WHOLE && findProgram(['nginx']) !== undefined ? [OVER_HTTP, OVER_HTTPS] : [OVER_HTTP])(
  'WebKit signs in, presses in one of two windows, and signs out, over %s (5)',
  async (_, open) => {
    const url = await open()
    expect(await signInPressSignOut(await openWebKit(), url)).not.toContain('Lindqvist')
  },
)
