import { describe, expect, test } from 'vitest'
import { DEFAULT_CHOICES } from '../../../src/sandbox/choices/choices.ts'
import { open, seed, START_MS } from '../../kit/sandbox.ts'

describe('the control of a sandbox', () => {
  test('changes the choices while it runs, and returns copies', async () => {
    const { sandbox, send } = open()
    const changed = sandbox.control.changeChoices({ missingcred: 'status_400' })
    expect(changed).toEqual({ ...DEFAULT_CHOICES, missingcred: 'status_400' })
    Object.assign(changed, { missingcred: 'status_403' })
    Object.assign(sandbox.control.choices(), { missingcred: 'status_403' })
    expect((await send('/organizations')).status).toBe(400)
    expect(() => sandbox.control.changeChoices({ missingcred: 'x' })).toThrow('missingcred')
    expect(sandbox.control.choices().missingcred).toBe('status_400')
  })

  test('restores an earlier snapshot, with its time, choices and tokens', async () => {
    const { sandbox, bearer, send } = open()
    const { control } = sandbox
    control.clock.freeze()
    const headers = await bearer()
    const before = control.snapshot()
    control.clock.toTokenEnd()
    control.changeChoices({ expired: 'status_403' })
    expect((await send('/organizations/1001', { headers })).status).toBe(403)
    control.restore(before)
    expect(control.snapshot()).toEqual(before)
    expect(control.clock.nowMs()).toBe(START_MS)
    expect((await send('/organizations/1001', { headers })).status).toBe(200)
  })

  test('resets records, choices, time and random values', async () => {
    const { sandbox, bearer, send } = open({ choices: { deny: 'page' } })
    const first = sandbox.snapshot()
    const headers = await bearer()
    sandbox.control.changeChoices({ deny: 'service_home', redir: 'fragment' })
    sandbox.control.clock.advance(1)
    sandbox.control.reset()
    expect(sandbox.snapshot()).toEqual(first)
    expect((await send('/organizations/1001', { headers })).status).toBe(401)
  })

  test('resets to another seed, with other random values', async () => {
    const { sandbox, authorize } = open()
    const code = await authorize()
    sandbox.control.seed({ random: 'another', people: seed().people.slice(0, 1), api_keys: [] })
    expect(sandbox.snapshot().people).toHaveLength(1)
    expect(await authorize()).not.toBe(code)
    sandbox.control.seed(seed())
    expect(await authorize()).toBe(code)
  })
})
