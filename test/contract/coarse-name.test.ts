import { expect, test } from 'vitest'
import { ANOTHER_BROWSER, coarseParts } from '../../src/contract/coarse-name.ts'

test.each([
  ['Firefox on Linux', { browser: 'Firefox', system: 'Linux' }],
  ['Samsung Internet on Android', { browser: 'Samsung Internet', system: 'Android' }],
  ['Safari', { browser: 'Safari' }],
  [ANOTHER_BROWSER, {}],
  ['Laptop on table', undefined],
  ['Firefox on table', undefined],
  ['Firefox on Linux 2', undefined],
  ['my Firefox', undefined],
  ['', undefined],
])('the parts of the coarse name %j are %j', (name, parts) => {
  expect(coarseParts(name)).toEqual(parts)
})
