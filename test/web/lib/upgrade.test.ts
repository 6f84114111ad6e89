import { afterEach, expect, test, vi } from 'vitest'
import { getAnswer, requestJson } from '../../../src/web/lib/api.ts'
import { useUi } from '../../../src/web/lib/ui.ts'
import { noteBuild, startBuild } from '../../../src/web/lib/upgrade.ts'
import { gate, stubFetch } from '../_network.ts'

const [OLD, NEW] = ['20260101T0000-00000001', '20260102T0000-00000002'] as const
const spyOnReload = () => vi.spyOn(location, 'reload').mockImplementation(() => {})

afterEach(() => {
  document.body.replaceChildren()
  useUi.setState(useUi.getInitialState(), true)
})

test.each([
  ['a field that was typed in', '<input value="10">', '1001', true],
  ['a text that is shown this once', '<p data-once><input readonly value="a secret"></p>', 'a secret', true],
  ['a text to copy', '<input readonly value="an address">', 'an address', false],
  ['an empty field', '<input>', '', false],
])('beside %s a newer build loads only by a press: %s', (_, field, value, isKept) => {
  const reload = spyOnReload()
  document.body.innerHTML = `<main>${field}</main>`
  const [input] = document.getElementsByTagName('input')
  if (input) input.value = value
  history.replaceState(null, '', '/links')
  startBuild(OLD)
  noteBuild(NEW)
  expect([useUi.getState().isOutdated, reload.mock.calls.length]).toEqual([isKept, isKept ? 0 : 1])
})

test('after its reload a page of a fleet of two builds waits for a minute, without a notice (attack 80)', () => {
  const reload = spyOnReload()
  startBuild(OLD)
  history.replaceState({ 'plimsoll.reloaded': Date.now() - 59_000 }, '', '/links')
  noteBuild(NEW)
  expect([useUi.getState().isOutdated, reload.mock.calls.length]).toEqual([false, 0])
  history.replaceState({ 'plimsoll.reloaded': Date.now() - 61_000 }, '', '/links')
  noteBuild(NEW)
  expect([useUi.getState().isOutdated, reload.mock.calls.length]).toEqual([false, 1])
})

test('a free answer of a newer build takes no press with it, and a later one loads that build (8.3)', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const reload = spyOnReload()
  const press = gate()
  stubFetch(async (path) => {
    if (path === '/api/paid') await press.closed
    return new Response('{}', { headers: { 'X-Plimsoll-Build': NEW } })
  })
  history.replaceState(null, '', '/')
  startBuild(OLD)
  const answer = getAnswer('/api/paid', { onHeaders: () => {} })
  await requestJson('/bff/quota')
  press.open()
  expect(await answer).toMatchObject({ text: '{}' })
  // After a failure the page asks for the quota.
  await requestJson('/bff/quota')
  expect([useUi.getState().isOutdated, reload.mock.calls.length]).toEqual([false, 0])
  vi.setSystemTime(Date.now() + 61_000)
  await requestJson('/bff/quota')
  expect(reload).toHaveBeenCalledTimes(1)
})
