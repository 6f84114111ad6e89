import { expect, test } from 'vitest'
import { browsersOf } from './_closing-line.ts'

test('the last line of a run names each browser once, and none that did not run', () => {
  expect(browsersOf(['unit', 'process'])).toEqual([])
  expect(browsersOf(['unit', 'journey', 'browser', 'firefox'])).toEqual(['Chromium', 'Firefox'])
})
