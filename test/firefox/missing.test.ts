import { expect, test } from 'vitest'
import { findFirefox } from './find.ts'

// Only where there is no Firefox.
test('every page in Firefox, which is missing: `apt-get install firefox-esr`, or set FIREFOX to its path', ({
  skip,
}) => {
  skip(findFirefox() === undefined)
  expect(findFirefox()).toBeUndefined()
})
