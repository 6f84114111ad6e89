import { expect, test } from 'vitest'
import { openApp, openBrowser } from '../kit/cleanup.ts'
import { countRequests } from '../kit/control.ts'
import { MODULES } from './_layout-faults.ts'
import { DATA, hold, openAccountMenu, SAFARI, serverCookies, signInNew, signOut } from '../kit/page.ts'

const running = await openApp()
const browser = await openBrowser()

test("a person sees the key's sessions and ends the others by keyboard, also on a phone (ASVS 7.5.2)", async () => {
  const other = await signInNew(running, browser, SAFARI)
  const page = await signInNew(running, browser)
  await page.setViewportSize({ width: 320, height: 640 })
  await openAccountMenu(page)
  await page.getByRole('link', { name: 'Your sessions' }).click()
  await page.getByText('Safari on Mac').waitFor()
  expect(await page.getByRole('listitem').filter({ hasText: 'This browser' }).count()).toBe(1)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  // The page would show the reason at once, and the server gives it once.
  await other.goto('about:blank')
  await page.getByRole('button', { name: 'End all others' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('1 other session ended.').waitFor()
  await other.goto(running.url)
  await other.getByText('You ended it in another browser').waitFor()
  expect(await other.getByText(DATA).count()).toBe(0)
  await page.reload()
  await page.getByText('You have no other session.').waitFor()
})

test('a browser changes between two organizations in all its tabs, without a request (5.3)', async () => {
  const page = await signInNew(running, browser)
  const tab = await page.context().newPage()
  await tab.goto(`${running.url}/organizations`)
  await tab.getByRole('button', { name: 'Meridian Shipping (2002) · 1–2 requests' }).click()
  await tab.getByRole('button', { name: /Cleo/ }).click()
  await tab.getByRole('button', { name: 'Permit' }).click()
  await tab.getByRole('heading', { name: 'Meridian Shipping' }).waitFor()
  await page.getByRole('heading', { name: 'Meridian Shipping' }).waitFor()
  expect(await page.getByText(DATA).count()).toBe(0)
  const before = await countRequests(running)
  // The page from the server has the menu too.
  const release = await hold(page, MODULES)
  await page.goto(running.url, { waitUntil: 'commit' })
  await page.locator('#organization-button').waitFor()
  release()
  await page.getByRole('button', { name: 'Meridian Shipping, Your organizations' }).click()
  await page.getByRole('link', { name: 'All your organizations' }).click()
  await page.getByRole('button', { name: 'Open the organization of an API key · free' }).click()
  await page.getByText(DATA).first().waitFor()
  // The address of this tab names the other organization.
  await tab.getByRole('heading', { name: 'This is not organization 2002' }).waitFor()
  await tab.getByRole('button', { name: 'Open Meridian Shipping (2002) · free' }).click()
  await tab.getByRole('heading', { name: 'Meridian Shipping' }).waitFor()
  await page.getByRole('heading', { name: 'Meridian Shipping' }).waitFor()
  expect(await page.getByText(DATA).count()).toBe(0)
  expect(await countRequests(running)).toBe(before)
  await signOut(page)
  await tab.getByText('You are signed out').waitFor()
  expect(await serverCookies(page.context(), running.url)).toEqual([])
})
