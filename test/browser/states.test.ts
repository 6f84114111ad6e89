import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeFinds } from '../kit/axe.ts'
import { aPartOf } from './_extent.ts'
import { sidewaysFaults, WIDTHS, zoomFaults } from './_layout-faults.ts'
import type { Place } from './_state.ts'
import { openPlace, STATES } from './_states.ts'
import { speak } from '../kit/page.ts'

let place: Place
beforeAll(async () => {
  place = await openPlace()
})

describe.each(aPartOf(STATES, 1))('$name', ({ open, end, isEnglish, isDialog }) => {
  let page: Page
  beforeAll(async () => {
    page = await open(place)
  })
  afterAll(async () => {
    await end?.(page, place)
    await page.close()
  })

  test('axe has no finding and no doubt, light and dark, in each language', async () => {
    for (const [language, width] of isEnglish ? ([['en', 320]] as const) : SPOKEN) {
      if (!isEnglish) await speak(page, language)
      await page.setViewportSize({ width: isDialog ? 1280 : width, height: 900 })
      expect([language, ...(await axeFinds(page, { doubts: true }))]).toEqual([language])
    }
  })

  test('it is never wider than the window, also with larger text', async () => {
    const faults: string[] = []
    for (const language of isEnglish ? ['en'] : ['ja', 'en']) {
      if (!isEnglish) await speak(page, language)
      for (const size of ['100%', '200%']) faults.push(...(await sidewaysFaults(page, WIDTHS, size)))
      faults.push(...(await zoomFaults(page)))
    }
    expect(faults).toEqual([])
  })
})

const SPOKEN = [
  ['en', 1280],
  ['ja', 320],
] as const
