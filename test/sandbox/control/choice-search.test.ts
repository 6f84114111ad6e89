import { expect, test } from 'vitest'
import { findChoices } from '../../../src/sandbox/control/choice-search.ts'

test.each([
  ['U24', ['rotation']],
  ['ROTATION', ['rotation']],
  ['replaced token', ['reuse']],
  ['seconds_35', ['slow']],
  ['section 8.1 smaller', ['downgrade']],
  ['ropery', []],
])('%j finds %j', (text, keys) => expect([...findChoices(text)]).toEqual(keys))

test('no words find all, and every word counts', () => {
  expect(findChoices(' ').size).toBe(84)
  expect(findChoices('token').size).toBeGreaterThan(findChoices('token 401').size)
  expect(findChoices('token 401').size).toBeGreaterThan(0)
})
