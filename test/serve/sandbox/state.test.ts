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
    first.sandbox.control.moveClock({ do: 'freeze' })
    first.sandbox.control.moveClock({ do: 'to_month_end' })
    await first.sandbox.fetch(new Request(`${BASE}/organizations`))
    const second = open(first.write())
    expect(second.damage).toBeUndefined()
    expect(second.sandbox.snapshot()).toEqual(first.sandbox.snapshot())
    expect(second.sandbox.control.choices().deny).toBe('page')
    expect(second.sandbox.control.nowMs()).toBe(Date.UTC(2026, 11, 1))
  })

  test('goes on from its text and the lines that were appended, also if the last one was cut off', async () => {
    const first = open()
    const { control } = first.sandbox
    const mint = (path: string, more = {}) =>
      control.fetch(
        new Request(`http://127.0.0.1:4001${path}`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ person: 'ada', organization_id: 1001, ...more }),
        }),
      )
    let text = first.write()
    const append = () => {
      text += first.nextLine() ?? ''
    }
    for (const choices of [
      { oldaccess: 'revoked' },
      { window: 'sliding' },
      { secondgrant: 'first_revoked' },
    ]) {
      control.changeChoices(choices)
      const { access_token, refresh_token } = await (await mint('/tokens')).json()
      append()
      const headers = { Authorization: `Bearer ${access_token}` }
      for (let nth = 0; nth < 3; nth += 1)
        await first.sandbox.fetch(new Request(`${BASE}/organizations/1001`, { headers }))
      const [{ client_id, client_secret } = { client_id: '', client_secret: '' }] =
        first.sandbox.currentSeed().applications
      const body = new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token,
        client_id,
        client_secret,
      })
      await first.sandbox.fetch(new Request(`${BASE}/oauth2/token`, { method: 'POST', body }))
      append()
      control.moveClock({ do: 'to_month_end' })
      append()
    }
    control.clearRequestLog()
    control.seed({ api_keys: [] })
    append()
    expect(first.nextLine()).toBeUndefined()
    const second = open(`${text}{"set":{"grants`)
    expect(second.damage).toBeUndefined()
    expect(second.sandbox.snapshot()).toEqual(first.sandbox.snapshot())
    expect(second.sandbox.currentSeed()).toEqual(first.sandbox.currentSeed())
    expect(open(second.write()).sandbox.snapshot()).toEqual(first.sandbox.snapshot())
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
