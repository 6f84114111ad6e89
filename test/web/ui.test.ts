import { expect, test } from 'vitest'
import { useUi } from '../../src/web/ui.ts'

test('the store begins empty, and has no room for what an organization holds', () => {
  expect(useUi.getInitialState()).toEqual({
    quota: undefined,
    quotaProblem: undefined,
    drifted: false,
    sending: 0,
    veiled: false,
    farewell: undefined,
  })
})
