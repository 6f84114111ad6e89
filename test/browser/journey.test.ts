import { expect, test } from 'vitest'
import { openApp, openBrowser } from '../kit/cleanup.ts'
import { signInAtService, serverCookies, signOut } from '../kit/page.ts'

test('a person signs in, presses Refresh, finds its requests in the ledger, signs out, and goes back (5.3, 8.3)', async () => {
  const { url } = await openApp()
  const context = await (await openBrowser()).newContext({ locale: 'en-GB' })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  await page.goto(url)
  await signInAtService(page, 'Ada')
  await page.getByText('At most 99', { exact: true }).waitFor()

  // The other tab gets this without a reload.
  const other = await context.newPage()
  await other.goto(url)
  await other.getByText('At most 99', { exact: true }).waitFor()
  await page.getByRole('button', { name: /^Refresh/ }).click()
  await other.getByText('At most 98', { exact: true }).waitFor()

  await page.getByRole('link', { name: 'Ledger', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Ledger' }).waitFor()
  // The exchange of the code, the first read, and the press.
  await page.getByText('3 requests this month').waitFor()
  await signOut(page)
  await page.getByText('You are signed out').waitFor()
  await other.getByText('You are signed out').waitFor()
  expect(await serverCookies(context, url)).toEqual([])

  await page.goBack()
  await page.getByLabel(/organization id/i).waitFor()
  expect(await page.getByText('Ada Lindqvist').count()).toBe(0)
  expect(faults).toEqual([])
})
