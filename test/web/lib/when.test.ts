import { expect, test } from 'vitest'
import { whenWords } from '../../../src/web/lib/time.ts'

test.each(['2021-03-14T09:26:53Z', '2021-03-14T18:26+09:00', '2021-03-14T09:26:53.123Z'])(
  '%s is an instant, shown in the reader’s zone',
  (text) => {
    expect(whenWords(text)?.words).toMatch(/14.*2021.*(18|6):26/)
  },
)

test('a day is the same day in every zone', () => {
  expect(whenWords('2021-03-14')?.words).toMatch(/Mar 14, 2021|14 Mar 2021/)
})

test.each([
  '2021',
  '2021-99-99',
  '14 March 2021',
  '2021-03-14T09:26:53Zx',
  '+44 1632 960 417',
  'May 2021 was warm',
])('%s stays as it is', (text) => {
  expect(whenWords(text)).toBeUndefined()
})
