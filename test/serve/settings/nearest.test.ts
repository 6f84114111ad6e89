import { expect, test } from 'vitest'
import { nearest } from '../../../src/serve/settings/nearest.ts'

const KNOWN = ['PORT', 'HOST', 'SANDBOX_PORT']

test.each([
  ['PRT', 'PORT'],
  ['POTR', 'PORT'],
  ['SANDBOXPORT', 'SANDBOX_PORT'],
  ['HOSTS', 'HOST'],
  ['PORT', 'PORT'],
])('%s is meant to be %s', (name, meant) => {
  expect(nearest(name, KNOWN)).toBe(meant)
})

test('a name that needs more than three edits is near none', () => {
  expect(nearest('SANDBOX_PO_ABCD', KNOWN)).toBeUndefined()
  expect(nearest('', [])).toBeUndefined()
})
