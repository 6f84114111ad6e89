import { expect, test } from 'vitest'
import { openControl } from '../_control.ts'

test('the shown time begins at the time of the sandbox, and runs', async () => {
  const { ask, control } = openControl()
  control.clock.set(Date.UTC(2026, 10, 21, 6, 7, 8, 90))
  const answer = await ask('/clock.css')
  expect(answer.headers.get('Content-Type')).toBe('text/css; charset=utf-8')
  expect(answer.headers.get('Cache-Control')).toBe('no-store')
  const style = await answer.text()
  expect(style).toContain('seconds 60000ms steps(60) -8090ms infinite')
  expect(style).toContain('minutes 3600000ms steps(60) -428090ms infinite')
  expect(style).toContain('hours 86400000ms steps(24) -22028090ms infinite')
})

test('a frozen clock stands still', async () => {
  const { ask, control } = openControl()
  control.clock.freeze()
  expect(await (await ask('/clock.css')).text()).toBe('')
})
