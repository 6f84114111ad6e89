import { afterEach, expect, test, vi } from 'vitest'
import { useUi } from '../../../src/web/lib/ui.ts'
import { noteBuild, startBuild } from '../../../src/web/lib/upgrade.ts'

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
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
  document.body.innerHTML = `<main>${field}</main>`
  const [input] = document.getElementsByTagName('input')
  if (input) input.value = value
  history.replaceState(null, '', '/links')
  startBuild('20260101T0000-00000001')
  noteBuild('20260102T0000-00000002')
  expect([useUi.getState().isOutdated, reload.mock.calls.length]).toEqual([isKept, isKept ? 0 : 1])
})
