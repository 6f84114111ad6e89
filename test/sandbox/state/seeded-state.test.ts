import { expect, test } from 'vitest'
import { createSeededState } from '../../../src/sandbox/state/seeded-state.ts'
import { seed } from '../../kit/sandbox.ts'

const other = { applications: [], random: 'another' }

test('a reset goes back to the last seed, an empty seed to that of the first start', () => {
  const seeded = createSeededState({ seed: seed(), choices: { deny: 'page' } })
  const first = structuredClone(seeded.state)
  seeded.reseed(other)
  seeded.state.requests = 5
  seeded.reset()
  expect(seeded.state).toEqual({ ...first, applications: [] })
  expect(seeded.currentSeed()).toEqual({ ...seed(), ...other })
  seeded.reseed({})
  expect([seeded.state, seeded.currentSeed()]).toEqual([first, seed()])
})

test('a second seed is based on that of the first start, not on the one before it', () => {
  const seeded = createSeededState({ seed: seed() })
  seeded.reseed(other)
  seeded.reseed({ api_keys: [] })
  expect(seeded.currentSeed()).toEqual({ ...seed(), api_keys: [] })
})

test('a later start takes the state and the current seed of an earlier one', () => {
  const earlier = createSeededState({ seed: seed() })
  earlier.reseed(other)
  earlier.state.requests = 5
  const later = createSeededState({
    seed: seed(),
    currentSeed: earlier.currentSeed(),
    earlier: earlier.state,
  })
  expect(later.state).toEqual(earlier.state)
  later.reset()
  expect(later.state).toMatchObject({ applications: [], requests: 0 })
})

test('a seed or snapshot that is refused changes nothing', () => {
  const seeded = createSeededState({ seed: seed() })
  const before = structuredClone(seeded.state)
  expect(() => seeded.reseed({ people: [] })).toThrow('issued_by')
  expect(() => seeded.restore({ ...before, requests: -1 })).toThrow('requests')
  expect([seeded.state, seeded.currentSeed()]).toEqual([before, seed()])
})
