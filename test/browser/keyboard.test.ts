import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { launch } from '../_browser.ts'
import { focusedName, tabTo } from './_keyboard.ts'
import { type RunningApp, startApp } from './_running-app.ts'

let running: RunningApp
let browser: Browser
let page: Page

beforeAll(async () => {
  running = await startApp()
  browser = await launch()
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
})
afterAll(async () => {
  await browser?.close()
  await running?.stop()
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
  await page.keyboard.type(running.sandboxState().api_keys[0]?.value ?? '')
  await tabTo(page, 'Sign in with the key · 1 request')
  await press('Space')
  await page.getByRole('heading', { name: 'Harbour Rope Works' }).waitFor()
})

test('R moves to the Refresh button, and only a press of it spends a request', async () => {
  const left = page.getByRole('meter', { name: /read/i })
  await expect.poll(() => left.getAttribute('aria-valuenow')).toBe('59')
  await press('r')
  expect(await focusedName(page)).toContain('Refresh')
  expect(await left.getAttribute('aria-valuenow')).toBe('59')
  await press('Space')
  await expect.poll(() => left.getAttribute('aria-valuenow')).toBe('58')
})

test('Tab and the keys of the page open the ledger and leave it again', async () => {
  await tabTo(page, 'Ledger')
  await press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Ledger' }).waitFor()
  await press('g', 'h')
  await page.getByRole('heading', { name: 'Harbour Rope Works' }).waitFor()
  await press('g', 'l')
  await page.getByRole('heading', { level: 1, name: 'Ledger' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/ledger')
})

test('the arrows choose language and theme, and the focus stays', async () => {
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

test('the list of shortcuts opens and closes, and the focus returns to where it was', async () => {
  // By its tag, because a closed dialog loses its role before the page has handled the event.
  const dialog = page.locator('dialog')
  await tabTo(page, 'Keyboard shortcuts')
  await press('Enter')
  await dialog.waitFor()
  expect(await page.getByRole('dialog').count()).toBe(1)
  expect(await focusedName(page)).toBe('Close')
  await press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await focusedName(page)).toBe('Keyboard shortcuts')
  await press('?')
  await dialog.waitFor()
  await press('Enter')
  await dialog.waitFor({ state: 'detached' })
  expect(await focusedName(page)).toBe('Keyboard shortcuts')
})

test('every stop is visible in dark, light and forced colours, and the person signs out', async () => {
  await tabTo(page, 'Skip to content')
  await tabTo(page, 'Keyboard shortcuts')
  await tabTo(page, 'Theme')
  await press('ArrowUp')
  await tabTo(page, 'Skip to content')
  await tabTo(page, 'Keyboard shortcuts')
  await page.emulateMedia({ forcedColors: 'active' })
  await tabTo(page, 'Skip to content')
  await tabTo(page, 'Keyboard shortcuts')
  await tabTo(page, 'Sign out')
  await press('Enter')
  await page.getByText('You are signed out').waitFor()
  const cookies = await page.context().cookies(running.url)
  expect(cookies.map(({ name }) => name)).toEqual([`plimsoll-http-${new URL(running.url).port}-choices`])
})
