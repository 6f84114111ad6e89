// The pages of the control plane in a real browser.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { launch } from '../kit/browser.ts'
import { type Alone, ended, MEMORY, openAlone } from '../kit/sandbox-process.ts'

async function openPage(alone: Alone): Promise<Page> {
  const browser = await launch()
  ended.push(() => browser.close())
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  await page.goto(`http://127.0.0.1:${alone.port + 1}/`)
  return page
}

test("the clock of the page runs from the sandbox's time without a script, and stands still while frozen", async () => {
  const alone = await openAlone(MEMORY)
  await alone.control('/clock', 'POST', { do: 'set', ms: Date.UTC(2027, 0, 2, 13, 14, 0) })
  const page = await openPage(alone)
  const shown = () =>
    page.evaluate(() => {
      const style = getComputedStyle(document.querySelector('.ticking') ?? document.body, '::before')
      return ['--hours', '--minutes', '--seconds'].map((name) => style.getPropertyValue(name))
    })
  const first = await shown()
  expect(first.slice(0, 2)).toEqual(['13', '14'])
  await expect.poll(shown).not.toEqual(first)
  await page.getByRole('button', { name: 'Freeze' }).click()
  await page.getByText('frozen').waitFor()
  expect(await shown()).toEqual(['', '', ''])
  expect(await page.locator('.digits').textContent()).toMatch(/^13:14:\d\d$/)
})

test('a fault has the fields of its kind and a button to remove it, and one key saves a choice', async () => {
  const alone = await openAlone(MEMORY)
  const page = await openPage(alone)
  const isShown = (label: string) => page.getByRole('spinbutton', { name: label }).isVisible()
  await page.getByRole('combobox', { name: 'Fault' }).selectOption('status')
  expect([await isShown('Status'), await isShown('Delay, ms')]).toEqual([true, false])
  await page.getByRole('combobox', { name: 'Fault' }).selectOption('delay')
  expect([await isShown('Status'), await isShown('Delay, ms')]).toEqual([false, true])
  await page.getByRole('spinbutton', { name: 'Delay, ms' }).fill('300')
  await page.keyboard.press('Enter')
  await page.getByText('300 ms').waitFor()
  await page.getByRole('button', { name: 'Remove delay of any' }).click()
  await page.getByText('No fault is set').waitFor()
  await page.getByRole('link', { name: 'Choices', exact: true }).click()
  await page.getByLabel('Search the choices').fill('U24')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'the same one again' }).focus()
  await page.keyboard.press('Enter')
  await page.locator('#rotation:target [aria-pressed="true"]', { hasText: 'the same one again' }).waitFor()
  expect(await (await alone.control('/profile')).json()).toMatchObject({ rotation: 'same' })
  expect(new URL(page.url()).search).toBe('?q=U24')
})
