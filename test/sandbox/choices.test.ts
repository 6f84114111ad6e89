import { expect, test } from 'vitest'
import { NOT_SHOWN } from '../../src/contract/assumptions.ts'
import { ASSUMED } from '../../src/sandbox/choices.ts'

test.each(Object.keys(ASSUMED) as (keyof typeof ASSUMED)[])('%s is what the contract assumes', (name) => {
  expect(ASSUMED[name]).toBe(NOT_SHOWN[name].assumed)
})
