import { expect, test } from 'vitest'
import { isSliding } from '../../src/contract/sliding.ts'

test.each([
  [[], false],
  [[300], false],
  [[300, 290], false],
  [[300, 290, 280], true],
  [[300, 297, 294], true],
  [[300, 243, 186], true],
  [[300, 242, 184], false],
  [[300, 299, 298, 297, 296], false],
  [[300, 298, 290, 289, 280], true],
  [[360, 300, 290, 280], true],
  [[360, 300, 290, 230, 220], false],
])('resets at %j are those of a window that slides: %s (2.2)', (resets, sliding) => {
  expect(isSliding(resets)).toBe(sliding)
})
