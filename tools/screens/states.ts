// Every state of the page, narrow and light in English, wide and dark in Japanese.
import { beforeAll, test } from 'vitest'
import type { Place } from '../../test/browser/_state.ts'
import { openPlace, STATES } from '../../test/browser/_states.ts'
import { speak } from '../../test/kit/page.ts'
import { type Look, shoot } from './shot.ts'

const LOOKS: readonly (Look & { language: 'en' | 'ja' })[] = [
  { width: 375, colorScheme: 'light', language: 'en' },
  { width: 1280, colorScheme: 'dark', language: 'ja' },
]

let place: Place
beforeAll(async () => {
  place = await openPlace()
})

test.each(STATES)('$name', async ({ name, open, end, isEnglish }) => {
  const page = await open(place)
  for (const { language, ...look } of LOOKS) {
    const spoken = isEnglish ? 'en' : language
    if (!isEnglish) await speak(page, spoken)
    const file = `${name.replaceAll(/\W+/g, '-')}-${look.colorScheme}-${look.width}-${spoken}.png`
    await shoot(page, `screens/${file}`, look)
  }
  await end?.(page, place)
  await page.close()
})
