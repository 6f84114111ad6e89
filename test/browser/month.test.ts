// The month's card, while another client of the organization spends too (8.3).
import { expect, test } from 'vitest'
import { control, countRequests } from '../kit/control.ts'
import { openSignedIn } from '../kit/page.ts'

const { page, app: running } = await openSignedIn()
const key = (await running.sandboxState()).api_keys[0]?.value ?? ''
const card = () => page.getByRole('region', { name: 'This month' })
/** Sends requests as another client, in each minute as many as it allows at most. */
async function spendElsewhere(count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 1) {
    if (sent % 50 === 0) await control(running, '/clock', { do: 'advance', ms: 61_000 })
    await fetch(`${running.sandboxUrl}/organizations`, { headers: { 'X-Service-Api-Key': key } })
  }
}

test("a person enters the count of the plan page; the card shows the organization's, at no request (8.3)", async () => {
  expect(await card().innerText()).toContain('At most 99')
  await spendElsewhere(31)
  const before = await countRequests(running)
  await page.getByLabel('Requests used so far').fill('32')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved: 32 used so far.').waitFor()
  await card()
    .getByText(/^68$|^\d\d–68$/)
    .waitFor()
  expect(await card().innerText()).toMatch(/You can use/)
  expect(await countRequests(running)).toBe(before)
})

test('a pressed button, still under the pointer, has grey words on the card, not on blue (WCAG 1.4.3)', async () => {
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

test('a refusal changes the card, the title and the icon, also after a reload (8.3)', async () => {
  await spendElsewhere(68)
  await control(running, '/clock', { do: 'advance', ms: 61_000 })
  const button = page.getByRole('region', { name: 'Organization', exact: true }).getByRole('button').first()
  await button.click()
  await card()
    .getByText(/^Used up, it seems/)
    .waitFor()
  const words = await card().innerText()
  expect(words).toMatch(/\b0\n? ?of 100 requests left/)
  expect(words).not.toMatch(/You can use/)
  // The stream may open before the answer arrives.
  await expect.poll(() => button.textContent()).toBe('Refresh · up to 1 request, may be refused')
  await expect.poll(() => page.title()).toContain('■ none left')
  expect(await page.locator('link[rel=icon]').getAttribute('href')).toBe('/favicon-none.svg')
  const sent = await countRequests(running)
  await page.reload()
  await card()
    .getByText(/^Used up, it seems/)
    .waitFor()
  expect(await countRequests(running)).toBe(sent)
})
