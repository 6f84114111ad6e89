import type { Page } from 'playwright-core'

export const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name }).first().click()

/** @returns when the page of the organization is complete */
export async function signInByKey(page: Page, key: string): Promise<void> {
  await page.getByText('Use an API key instead').click()
  await page.getByLabel('API key', { exact: true }).fill(key)
  await page.getByRole('button', { name: /^Sign in with the key/ }).click()
  await isShown(page)
}

export async function isShown(page: Page): Promise<void> {
  await page.getByText('live', { exact: true }).waitFor()
  await page.getByText('Raw JSON').waitFor()
  await page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
}
