// A second browser gets a session by the code that the first one shows, in real browsers.
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { openBrowser } from '../kit/cleanup.ts'
import { countRequests } from '../kit/control.ts'
import { isLive, openSignedIn, press } from '../kit/page.ts'

const { page, url, app } = await openSignedIn()

async function showCode(): Promise<string> {
  await page.goto(`${url}/sessions`)
  await page.getByRole('link', { name: 'Open on another device' }).click()
  await press(page, 'Show a code')
  await page.getByText(/which means this computer/).waitFor()
  return (await page.getByText(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/).textContent()) ?? ''
}

/** A phone that has never been here. */
async function openPhone(address: string): Promise<Page> {
  const viewport = { width: 390, height: 780 }
  const context = await (await openBrowser()).newContext({ locale: 'en-GB', viewport })
  onTestFinished(() => context.close())
  const phone = await context.newPage()
  await phone.goto(address)
  return phone
}

const numberOn = async (phone: Page): Promise<string> =>
  /\d\d/.exec((await phone.getByRole('heading', { level: 2 }).textContent()) ?? '')?.[0] ?? ''

test('the phone shows a number, opens when it is typed, and appears among the sessions, all free (8)', async () => {
  const before = await countRequests(app)
  const code = await showCode()
  const phone = await openPhone(`${url}/pair#${code.replace('-', '')}`)
  await phone.getByRole('heading', { name: 'Open Plimsoll here' }).waitFor()
  expect(phone.url()).toBe(`${url}/pair`)
  await press(phone, 'Go on')
  await phone.getByText('Type this number').waitFor()
  await page.getByLabel('Number that the other device shows').fill(await numberOn(phone))
  await press(page, 'Open it there')
  await page.getByText('The other device is open.').waitFor()
  await isLive(phone)
  await page.getByRole('link', { name: /^Your sessions/ }).click()
  await expect.poll(() => page.getByRole('listitem').count()).toBe(2)
  expect(await countRequests(app)).toBe(before)
  await press(page, 'End all others')
  await phone.getByText('You ended it in another browser').waitFor({ timeout: 5000 })
})
