// Every state of the page, narrow and light in English, wide and dark in Japanese; with `--mode all` each
// width, scheme and language with each other.
import { beforeAll, expect, test } from 'vitest'
import type { Place, State } from '../../test/browser/_state.ts'
import { openPlace, STATES } from '../../test/browser/_states.ts'
import { speak } from '../../test/kit/page.ts'
import { foundErrors, type Look, noteErrors, shoot } from './shot.ts'

type SpokenLook = Look & { language: 'en' | 'ja' }

const USUAL: readonly SpokenLook[] = [
  { width: 375, colorScheme: 'light', language: 'en' },
  { width: 1280, colorScheme: 'dark', language: 'ja' },
]
const ALL: readonly SpokenLook[] = [375, 1280].flatMap((width) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    (['en', 'ja'] as const).map((language) => ({ width, colorScheme, language })),
  ),
)
const looks = import.meta.env.MODE === 'all' ? ALL : USUAL

let place: Place
beforeAll(async () => {
  place = await openPlace({ prepare: noteErrors })
})

test.each(STATES)('$name', async ({ name, open, end, isEnglish }: State) => {
  const page = await open(place)
  try {
    for (const { language, ...look } of looks) {
      const spoken = isEnglish ? 'en' : language
      if (!isEnglish) await speak(page, spoken)
      const file = `${name.replaceAll(/\W+/g, '-')}-${look.colorScheme}-${look.width}-${spoken}.png`
      await shoot(page, `screens/${file}`, look)
    }
  } finally {
    await end?.(page, place)
    await page.close()
  }
  expect(foundErrors()).toEqual([])
})
