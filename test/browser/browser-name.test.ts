import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openApp, openBrowser } from '../kit/cleanup.ts'
import { countRequests } from '../kit/control.ts'
import { signInByKey, speak } from '../kit/page.ts'

const running = await openApp()
const browser = await openBrowser()

async function openPage(): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${running.url}/`)
  await signInByKey(page, running.sandboxState().api_keys[0]?.value ?? '')
  return page
}

async function rename(page: Page, name: string): Promise<void> {
  await page.goto(`${running.url}/sessions`)
  await page.getByRole('button', { name: 'Name this browser' }).click()
  await page.getByLabel('Name of this browser').fill(name)
  await page.keyboard.press('Enter')
  await page.getByText(`This browser is now called “${name}”.`).waitFor()
}

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)

test('a name given in one browser is in the ledger of another one of the organization (8.3)', async () => {
  const [office, other] = [await openPage(), await openPage()]
  const sent = await countRequests(running)
  await office.setViewportSize({ width: 320, height: 640 })
  await office.goto(`${running.url}/sessions`)
  await office.getByRole('button', { name: 'Name this browser' }).press('Enter')
  const field = office.getByLabel('Name of this browser')
  await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true)
  expect(await widthOf(office)).toBeLessThanOrEqual(320)
  await office.keyboard.press('Escape')
  const opener = office.getByRole('button', { name: 'Name this browser' })
  expect(await opener.evaluate((button) => button === document.activeElement)).toBe(true)
  await rename(office, 'Aya, office')
  expect(await office.getByRole('listitem').filter({ hasText: 'This browser' }).innerText()).toMatch(
    /^Aya, office/,
  )
  await other.goto(`${running.url}/ledger`)
  await other.getByRole('row', { name: /^Aya, office 1/ }).waitFor()
  const list = other.getByRole('table', { name: 'Requests, newest first' })
  expect(await list.getByText('Aya, office').count()).toBe(1)
  expect(await countRequests(running)).toBe(sent)
})

const MARKUP = '<img src=x onerror=globalThis.ran=1>'

test('a name that is markup, or very long, is text that runs nothing and fits (Trusted Types 4.2)', async () => {
  const [page, other] = [await openPage(), await openPage()]
  for (const name of [MARKUP, 'W'.repeat(40), '漢'.repeat(40)]) {
    await rename(page, name)
    await other.goto(`${running.url}/ledger`)
    const list = other.getByRole('table', { name: 'Requests, newest first' })
    await list.getByText(name).first().waitFor()
    for (const one of [page, other]) {
      for (const width of [320, 375, 768, 1280]) {
        await one.setViewportSize({ width, height: 800 })
        expect([name, width, await widthOf(one)]).toEqual([name, width, width])
      }
      expect(await one.locator('main img').count()).toBe(0)
      expect(await one.evaluate(() => 'ran' in globalThis)).toBe(false)
    }
  }
  await speak(other, 'ja')
})

test('a name that is a formula is text in the downloaded file, which begins with its encoding (C35)', async () => {
  const page = await openPage()
  await rename(page, '＠SUM(A1);=1+1')
  await page.goto(`${running.url}/ledger`)
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const lines = (await readFile(await (await file).path(), 'utf8')).split('\r\n')
  expect(lines[0]).toBe('\uFEFFat,kind,initiator,by,outcome,status,counts,browser')
  expect(lines[1]).toMatch(/,settled,200,yes,"'＠SUM\(A1\);'=1\+1"$/)
})
