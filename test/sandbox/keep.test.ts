import { describe, expect, test } from 'vitest'
import { openKept } from '../../src/sandbox/keep.ts'
import { seedFor } from '../../src/sandbox/state/seed.ts'
import { BASE, START_MS } from './_sandbox.ts'

const keep = (text?: string, publicUrl = 'http://localhost:3000') =>
  openKept({
    text,
    random: () => 'drawn at the first start',
    seedFor: (random) => seedFor({ publicUrl, random }),
    now: () => START_MS,
  })

describe('a sandbox that is kept', () => {
  test('goes on with its choices, its clock and its history', async () => {
    const first = keep()
    first.sandbox.control.changeChoices({ deny: 'page' })
    first.sandbox.control.clock.freeze()
    first.sandbox.control.clock.toMonthEnd()
    await first.sandbox.fetch(new Request(`${BASE}/organizations`))
    const second = keep(first.write())
    expect(second.sandbox.snapshot()).toEqual(first.sandbox.snapshot())
    expect(second.sandbox.control.choices().deny).toBe('page')
    expect(second.sandbox.control.clock.nowMs()).toBe(Date.UTC(2026, 11, 1))
  })

  test('begins anew for other settings, with the same secrets', async () => {
    const first = keep()
    first.sandbox.control.changeChoices({ deny: 'page' })
    const other = keep(first.write(), 'http://localhost:5000')
    expect(other.sandbox.control.choices().deny).not.toBe('page')
    expect(other.seed.api_keys).toEqual(first.seed.api_keys)
  })

  test.each(['', '{', 'null', '[]', '{"random":1}'])('begins anew where %j was left', (text) => {
    expect(keep(text).sandbox.snapshot()).toEqual(keep().sandbox.snapshot())
  })

  test('begins anew where an older version left what does not fit', () => {
    const kept = JSON.parse(keep().write())
    const text = JSON.stringify({ ...kept, state: { ...kept.state, choices: { gone: 'x' } } })
    expect(keep(text).sandbox.snapshot()).toEqual(keep().sandbox.snapshot())
  })
})
