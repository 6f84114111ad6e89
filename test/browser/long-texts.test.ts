// A language with words 1.6 times as long as the English ones breaks the layout of no state.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aPartOf } from './_extent.ts'
import { sidewaysFaults, textFaults } from './_layout-faults.ts'
import { speakAtLength } from './_long-texts.ts'
import type { Place } from './_state.ts'
import { openPlace, STATES } from './_states.ts'
import { speak } from '../kit/page.ts'

const WIDTHS = [320, 768, 1280]

let place: Place
beforeAll(async () => {
  place = await openPlace({ prepare: speakAtLength })
})

describe.each(
  aPartOf(
    STATES.filter(({ isEnglish }) => !isEnglish),
    2,
  ),
)('$name', ({ open, end }) => {
  let page: Page
  beforeAll(async () => {
    page = await open(place)
    await speak(page, 'ja')
  })
  afterAll(async () => {
    await end?.(page, place)
    await page.close()
  })

  test('longer texts fit', async () => {
    expect(await page.locator('label:has([lang])').textContent()).toContain('Languagelangu')
    expect([...(await sidewaysFaults(page, WIDTHS)), ...(await textFaults(page, WIDTHS))]).toEqual([])
  })
})
