// The keyboard alone reaches each action in the order of the page, and fires it (WCAG 2.1.1, 2.4.3).
import { beforeAll, expect, test } from 'vitest'
import { keyboardFaults } from './_actions.ts'
import { aPartOf } from './_extent.ts'
import type { Place } from './_state.ts'
import { openPlace, STATES } from './_states.ts'

let place: Place
beforeAll(async () => {
  place = await openPlace()
})

test.each(aPartOf(STATES, 0))(
  '$name: the keyboard alone reaches and fires each action',
  async ({ open, end }) => {
    const page = await open(place)
    expect(await keyboardFaults(page)).toEqual([])
    await end?.(page, place)
    await page.close()
  },
)
