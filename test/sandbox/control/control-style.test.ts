import { expect, test } from 'vitest'
import { CONTROL_STYLE } from '../../../src/sandbox/control/control-style.ts'
import { STYLE } from '../../../src/sandbox/http/style.ts'
import { openControl } from '../_control.ts'

test('the control plane has the stylesheet of all pages, and no colour of its own', async () => {
  expect(await (await openControl().ask('/style.css')).text()).toBe(STYLE + CONTROL_STYLE)
  expect(CONTROL_STYLE).not.toMatch(/#[0-9a-f]{3,8}\b|rgb\(|url\(/i)
})
