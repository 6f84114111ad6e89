import { describe, expect, test } from 'vitest'
import { firstState, ownValue } from '../../../src/sandbox/state/state.ts'
import { seed } from '../_sandbox.ts'

describe('firstState', () => {
  test('has the records of the seed and no history, and not its random material', () => {
    const { random, ...records } = seed()
    const state = firstState({ random, ...records })
    expect(state).toMatchObject({ ...records, random_count: 0, access_tokens: {}, months: {} })
    expect(JSON.stringify(state)).not.toContain(random)
  })
})

describe('ownValue', () => {
  test('finds what is there, and no member of every object', () => {
    const record = { a: 1 }
    expect(['a', 'b', 'constructor', '__proto__', 'toString'].map((key) => ownValue(record, key))).toEqual([
      1,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })
})
