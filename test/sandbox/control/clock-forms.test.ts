import { expect, test } from 'vitest'
import { openControl } from '../_control.ts'

test.each([
  ['seconds', 1000],
  ['minutes', 60_000],
  ['hours', 3_600_000],
  ['days', 86_400_000],
])('the clock advances by 3 %s', async (unit, ms) => {
  const { control, press } = openControl()
  const before = control.clock.nowMs()
  await press('/', { do: 'advance', amount: '3', unit })
  expect(control.clock.nowMs() - before).toBe(3 * ms)
})

test('a frozen clock is shown as frozen, and can be run', async () => {
  const { control, page } = openControl()
  expect(await page()).toMatch(/>running<.*value="freeze"/s)
  control.clock.freeze()
  expect(await page()).toMatch(/>frozen<.*value="run"/s)
})
