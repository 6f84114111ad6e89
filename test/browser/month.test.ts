import { expect, test } from 'vitest'
import { openSignedIn } from '../kit/page.ts'

const { page } = await openSignedIn()

test('a pressed button, still under the pointer, has grey words on the card, not on blue (WCAG 1.4.3)', async () => {
  await page.getByLabel('Requests used so far').fill('32')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved: 32 used so far.').waitFor()
  let end = (): void => {}
  const held = new Promise<void>((resolve) => (end = resolve))
  await page.route('**/api/organizations', (route) => held.then(() => route.abort()))
  const button = page.getByRole('region', { name: 'Organization', exact: true }).getByRole('button').first()
  // Since a count is known, it is filled.
  expect(await button.getAttribute('data-kind')).toBe('primary')
  await button.click()
  await expect.poll(() => button.getAttribute('aria-busy')).toBe('true')
  await button.hover()
  expect(await button.evaluate((one) => getComputedStyle(one).backgroundColor)).toBe('rgba(0, 0, 0, 0)')
  end()
  await expect.poll(() => button.getAttribute('aria-busy')).toBe('false')
  await page.unrouteAll()
})
