// Looks at each state of the page: it fits, is accessible, can be used by keyboard alone, and reports no error.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { aPartOf, IS_WHOLE } from '../_extent.ts'
import { axeFinds } from '../kit/axe.ts'
import { IS_FIREFOX } from '../kit/browser.ts'
import { FONT_SETS, USUAL_FONTS } from '../kit/fonts.ts'
import { speak } from '../kit/page.ts'
import { keyboardFaults } from './_actions.ts'
import { headerFaults, sidewaysFaults, textFaults, WIDTHS, zoomFaults } from './_layout-faults.ts'
import type { Place, State } from './_state.ts'
import { openPlace } from './_states.ts'

interface Look {
  width: number
  language: 'en' | 'ja'
  colorScheme: 'light' | 'dark'
}

/** `npm test` looks at a state in one of them, and at the next state in the other. */
const BY_TURNS: readonly Look[] = [
  { width: 320, language: 'en', colorScheme: 'light' },
  { width: 1280, language: 'ja', colorScheme: 'dark' },
]
/** The whole run also tries each language in the other colours. */
const ALL: readonly Look[] = [
  ...BY_TURNS,
  { width: 375, language: 'en', colorScheme: 'dark' },
  { width: 375, language: 'ja', colorScheme: 'light' },
]
/** What text needs in other fonts is the same in each engine. */
const FONTS = IS_WHOLE && !IS_FIREFOX ? FONT_SETS : [USUAL_FONTS]

/** What is wrong with a page in one of these combinations. */
async function faultsIn(page: Page, { isEnglish }: State, look: Look, isFirst: boolean): Promise<string[]> {
  const { width, language, colorScheme } = look
  if (!isEnglish) await speak(page, language)
  await page.emulateMedia({ colorScheme })
  const faults = [
    ...(await sidewaysFaults(page, [width])),
    // The pages of the sandbox, which are for developers, are zoomed.
    ...(isEnglish ? [] : await sidewaysFaults(page, [width], '200%')),
    ...(await headerFaults(page, [width])),
    ...(await textFaults(page, [width])),
    ...(await axeFinds(page, !isFirst)),
  ]
  return faults.map((fault) => `${width} px, ${language}, ${colorScheme}: ${fault}`)
}

/** Also with text twice as large, and with the page enlarged four times (WCAG 1.4.4, 1.4.10). */
async function faultsAtAllWidths(page: Page, { isEnglish }: State): Promise<string[]> {
  const faults: string[] = []
  for (const language of isEnglish ? ['en'] : ['en', 'ja']) {
    if (!isEnglish) await speak(page, language)
    for (const size of isEnglish ? ['100%'] : ['100%', '200%'])
      faults.push(...(await sidewaysFaults(page, WIDTHS, size)))
    faults.push(...(await headerFaults(page, WIDTHS)), ...(await textFaults(page, WIDTHS)))
    faults.push(...(await zoomFaults(page)))
  }
  return faults
}

/** Tests in the order in which one app goes through the states. */
export function lookAt(states: readonly State[]): void {
  describe.each(FONTS)(
    'with %s fonts each state fits, also large, and works by keyboard (WCAG 1.4.4, 1.4.10, 2.4.13)',
    (fonts) => {
      let place: Place
      beforeAll(async () => {
        place = await openPlace({ fonts })
      })

      const shown = aPartOf(states, ({ isVariant }) => !isVariant)
      test.each(shown)('$name', async (state) => {
        const page = await state.open(place)
        const faults: string[] = IS_WHOLE ? await faultsAtAllWidths(page, state) : []
        const looks = IS_WHOLE ? ALL : BY_TURNS.filter((_, turn) => turn === shown.indexOf(state) % 2)
        for (const [nth, look] of looks.entries())
          faults.push(...(await faultsIn(page, state, look, nth === 0)))
        // The walk moves the focus, so it comes last. Some pages of the sandbox have a hundred stops.
        if (IS_WHOLE || !state.isEnglish) faults.push(...(await keyboardFaults(page)))
        await state.end?.(page, place)
        await page.close()
        expect([...faults, ...place.takeComplaints()]).toEqual([])
      })
    },
  )
}
