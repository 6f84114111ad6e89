import { describe, expect, test } from 'vitest'
import { isOver } from '../../src/sandbox/grant.ts'
import { open } from './_sandbox.ts'

describe('isOver', () => {
  test('holds from the lifetime on, and never without one (5.4.2)', () => {
    const issued = { issued_at_ms: 1000 }
    expect(isOver({ nowMs: 60_999 }, issued, 60)).toBe(false)
    expect(isOver({ nowMs: 61_000 }, issued, 60)).toBe(true)
    expect(isOver({ nowMs: 1e15 }, issued, undefined)).toBe(false)
  })
})

test('a refresh keeps application, person and organization (RFC 6749 6)', async () => {
  const { authorize, exchange, refresh, sandbox } = open()
  const { body } = await exchange(await authorize({ organization_id: '2002' }, 'cleo'))
  await refresh(body.refresh_token)
  const { grants, access_tokens, refresh_tokens } = sandbox.snapshot()
  expect(Object.values(grants)).toEqual([{ client_id: 'plimsoll', person_id: 'cleo', organization_id: 2002 }])
  expect(Object.keys(access_tokens)).toHaveLength(2)
  expect(Object.keys(refresh_tokens)).toHaveLength(1)
})

test('two sign-ins of one person are two grants, and the end of one is not that of the other (5.3)', async () => {
  const { authorize, exchange, refresh } = open()
  const code = await authorize()
  const [one, other] = [await exchange(code), await exchange(await authorize())]
  await exchange(code)
  expect((await refresh(one.body.refresh_token)).status).toBe(400)
  expect((await refresh(other.body.refresh_token)).status).toBe(200)
})

test('what is over is forgotten with the next that is issued, with its grant; what can be refreshed is kept', async () => {
  const { authorize, exchange, refresh, clock, sandbox } = open()
  await authorize()
  const { body } = await exchange(await authorize())
  clock.ms += 86_400_000
  await refresh(body.refresh_token)
  const { grants, codes, access_tokens, refresh_tokens } = sandbox.snapshot()
  expect([grants, codes, access_tokens, refresh_tokens].map((record) => Object.keys(record).length)).toEqual([
    1, 1, 1, 1,
  ])
})
