import { beforeAll, expect, test } from 'vitest'
import { wholeTest } from '../_whole.ts'
import type { Page } from 'playwright-core'
import { openApp, openBrowser } from '../kit/cleanup.ts'
import { focusedName, tabTo } from './_keyboard.ts'
import type { AppProcess } from '../kit/app-process.ts'
import { haveOthers } from '../kit/page.ts'

let running: AppProcess
let page: Page

beforeAll(async () => {
  running = await openApp()
  page = await (await openBrowser()).newPage({ viewport: { width: 1280, height: 900 } })
})

const press = (...keys: string[]) =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())

test('a person signs in by an API key with the keyboard alone', async () => {
  await page.goto(running.url)
  await page.getByRole('button', { name: 'Sign in · 1–2 requests' }).waitFor()
  await press('Tab')
  expect(await focusedName(page)).toBe('Skip to content')
  await press('Enter')
  await tabTo(page, 'Use an API key instead')
  await press('Enter')
  await tabTo(page, 'API key')
  await page.keyboard.type((await running.sandboxState()).api_keys[0]?.value ?? '')
  await tabTo(page, 'Sign in with the key · 1 request')
  await press('Space')
  await page.getByRole('heading', { name: 'Harbour Rope Works' }).waitFor()
})

test('moving the focus spends nothing, and a press of Refresh one request', async () => {
  const left = page.getByRole('meter', { name: /read/i })
  await expect.poll(() => left.getAttribute('aria-valuenow')).toBe('59')
  await tabTo(page, /^Refresh/)
  expect(await left.getAttribute('aria-valuenow')).toBe('59')
  await press('Space')
  await expect.poll(() => left.getAttribute('aria-valuenow')).toBe('58')
})

/** The stops of the open menu follow its button. */
async function openMenu(name: string | RegExp): Promise<number> {
  const stops = await tabTo(page, name)
  await press('Enter')
  await page.locator(':popover-open').waitFor()
  return stops
}

test('the arrows choose language and theme in the account menu, and the focus stays', async () => {
  await openMenu('Account')
  await tabTo(page, 'Language')
  await press('ArrowDown', 'ArrowDown')
  await page.getByRole('button', { name: 'サインアウト' }).waitFor()
  expect(await focusedName(page)).toBe('言語')
  await press('ArrowUp')
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  await tabTo(page, 'Theme')
  await press('ArrowDown', 'ArrowDown')
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  await expect.poll(background).toBe('rgb(11, 18, 32)')
  expect(await focusedName(page)).toBe('Theme')
})

test('Escape closes the menu and returns the focus, and the menu closes behind the focus', async () => {
  const menu = page.locator('#account-menu')
  await press('Escape')
  await menu.waitFor({ state: 'hidden' })
  expect(await focusedName(page)).toBe('Account')
  await press('Enter')
  await tabTo(page, 'Sign out')
  expect(await menu.isVisible()).toBe(true)
  await press('Tab')
  await menu.waitFor({ state: 'hidden' })
  expect(await focusedName(page)).not.toBe('Account')
})

test('a link home shows its top, with the focus on its heading, and one to the present page adds no entry', async () => {
  await page.setViewportSize({ width: 1280, height: 400 })
  await tabTo(page, 'Ledger')
  await press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Ledger' }).waitFor()
  const entries = await page.evaluate(() => history.length)
  await tabTo(page, 'Ledger')
  await press('Enter')
  expect(await page.evaluate(() => history.length)).toBe(entries)
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0)
  await tabTo(page, 'Back to quota and organization')
  await press('Enter')
  await page.getByRole('heading', { name: 'Harbour Rope Works' }).waitFor()
  expect(await page.evaluate(() => [scrollY, document.activeElement?.tagName])).toEqual([0, 'H1'])
  await page.setViewportSize({ width: 1280, height: 900 })
})

test('from the start of the page to Sign out there are at most twelve stops, with each menu', async () => {
  const walk = async (): Promise<number> => {
    await page.reload()
    await page.locator('[data-live=live]').waitFor()
    return (await openMenu('Account')) + (await tabTo(page, 'Sign out'))
  }
  expect(await walk()).toBeLessThanOrEqual(12)
  await haveOthers(page)
  expect(await walk()).toBeLessThanOrEqual(12)
})

wholeTest('every stop is visible in dark, light and forced colours', async () => {
  const walk = async (): Promise<void> => {
    await tabTo(page, 'Skip to content')
    await openMenu(/, Your organizations$/)
    await tabTo(page, 'All your organizations')
    await openMenu('Account')
    await tabTo(page, 'Theme')
    expect(await focusedName(page)).toBe('Theme')
  }
  await walk()
  await page.emulateMedia({ forcedColors: 'active' })
  await walk()
  await page.emulateMedia({ forcedColors: 'none' })
  await tabTo(page, 'Skip to content')
  await openMenu('Account')
  await tabTo(page, 'Theme')
  await press('ArrowUp', 'Escape')
  await walk()
})
