// The page answers each input with the largest and deepest records; tools/bench/input.mjs measures how fast.
import { beforeAll, expect, test } from 'vitest'
import { measureInput, RECORDS } from './_input-delays.ts'
import { aPartOf } from '../_extent.ts'
import type { Place } from './_state.ts'
import { openPlace } from './_states.ts'

let place: Place
beforeAll(async () => {
  place = await openPlace()
})

test.each(aPartOf(Object.keys(RECORDS), (name) => /rows/.test(name)))(
  'the page answers each input with %s',
  async (name) => {
    const body = RECORDS[name] ?? ''
    const page = await place.member('/', (opened) =>
      opened.route('**/api/organizations', (route) =>
        route.fulfill({ contentType: 'application/json', body }),
      ),
    )
    const tookMs = await measureInput(page, 1)
    expect(Object.keys(tookMs)).toEqual(['branch'])
    await page.close()
  },
)
