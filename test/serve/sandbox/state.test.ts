import { describe, expect, test } from 'vitest'
import { seedFor } from '../../../src/sandbox/state/seed.ts'
import { openStoredSandbox } from '../../../src/serve/sandbox/state.ts'
import { BASE, START_MS } from '../../kit/sandbox.ts'

const open = (text?: string, publicUrl = 'http://localhost:3000') =>
  openStoredSandbox({
    text,
    random: () => 'drawn at the first start',
    seedFor: (random) => seedFor({ publicUrl, random }),
    now: () => START_MS,
  })

describe('a stored sandbox', () => {
  test('goes on with its choices, its clock and its history', async () => {
    const first = open()
    first.sandbox.control.changeChoices({ deny: 'page' })
    first.sandbox.control.clock.freeze()
    first.sandbox.control.clock.toMonthEnd()
    await first.sandbox.fetch(new Request(`${BASE}/organizations`))
    const second = open(first.write())
    expect(second.damage).toBeUndefined()
    expect(second.sandbox.snapshot()).toEqual(first.sandbox.snapshot())
    expect(second.sandbox.control.choices().deny).toBe('page')
    expect(second.sandbox.control.clock.nowMs()).toBe(Date.UTC(2026, 11, 1))
  })

  test('begins again with other settings, with the same secrets', async () => {
    const first = open()
    first.sandbox.control.changeChoices({ deny: 'page' })
    const other = open(first.write(), 'http://localhost:5000')
    expect(other.damage).toBeUndefined()
    expect(other.sandbox.control.choices().deny).not.toBe('page')
    expect(other.sandbox.currentSeed().api_keys).toEqual(first.sandbox.currentSeed().api_keys)
  })

  test('goes back to the last seed at a reset, and to the built-in one with an empty seed', () => {
    const first = open()
    const builtIn = first.sandbox.currentSeed()
    const api_keys = [{ value: 'a-key', organization_id: 1001, issued_by: 'ada' }]
    first.sandbox.control.seed({ api_keys })
    const { sandbox } = open(open(first.write()).write())
    expect(sandbox.snapshot().api_keys).toEqual(api_keys)
    sandbox.control.changeChoices({ deny: 'page' })
    sandbox.control.reset()
    expect(sandbox.snapshot()).toMatchObject({ api_keys, organizations: builtIn.organizations })
    sandbox.control.seed({})
    expect(sandbox.snapshot().api_keys).toEqual(builtIn.api_keys)
    const third = open(first.write()).sandbox
    third.control.seed({ api_keys: [] })
    third.control.seed({ applications: [] })
    expect(third.snapshot()).toMatchObject({ applications: [], api_keys: builtIn.api_keys })
  })

  test.each(['', '{', 'null', '[]', '{"random":1}'])(
    'begins again, and reports why, where %j was saved',
    (text) => {
      const { sandbox, damage } = open(text)
      expect(damage).toMatch(/^it is not /)
      expect(sandbox.snapshot()).toEqual(open().sandbox.snapshot())
    },
  )

  test.each([
    ['state', { choices: { gone: 'x' } }],
    ['current_seed', { people: 'none' }],
  ])('begins again, and reports why, where the %s does not fit', (member, value) => {
    const saved = JSON.parse(open().write())
    const text = JSON.stringify({ ...saved, [member]: { ...saved[member], ...value } })
    const { sandbox, damage } = open(text)
    expect(damage).toMatch(/gone: |people: /)
    expect(sandbox.snapshot()).toEqual(open().sandbox.snapshot())
  })
})
