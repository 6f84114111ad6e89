import { expect, test } from 'vitest'
import { nameAddress } from '../../../src/bff/core/server-key.ts'
import { logFailedSignIn } from '../../../src/bff/sign-in/failed-sign-in.ts'
import { Problem } from '../../../src/contract/problem.ts'
import { startApp } from '../../kit/app.ts'
import { createContext } from '../_context.ts'

test('a refused start, code and key have the name of their address in the log (ASVS 16.3.1)', async () => {
  const fixture = startApp()
  const stranger = fixture.browser('203.0.113.7')
  await stranger.request('POST', '/bff/login', { json: { state: 'short', organization_id: '1001' } })
  await stranger.request('POST', '/bff/session', { json: { state: 'a'.repeat(43), code: 'c' } })
  await stranger.request('POST', '/bff/session', { json: { api_key: 'no-such-key' } })
  const other = fixture.another().browser('198.51.100.8')
  await other.request('POST', '/bff/session', { json: { api_key: 'no-such-key' } })
  const lines = fixture.log.filter(({ event }) => event === 'sign_in')
  expect(lines.map(({ level, code }) => `${level} ${code}`)).toEqual([
    'warn invalid_request',
    'warn state_mismatch',
    'warn key_rejected',
  ])
  expect(new Set(lines.map(({ source }) => source)).size).toBe(1)
  expect(lines[0]?.source).toMatch(/^[\w-]{16}$/)
  expect(JSON.stringify(fixture.log)).not.toContain('203.0.113')
})

test('a sign-in that succeeds is no line here; one that the store fails has no source (ASVS 16.5.2)', async () => {
  const { context, log } = createContext()
  expect(await logFailedSignIn(context, () => Promise.resolve(1))).toBe(1)
  expect(log).toEqual([])
  const fails = () => Promise.reject(new Problem('store_unavailable'))
  await expect(logFailedSignIn(context, fails)).rejects.toMatchObject({ code: 'store_unavailable' })
  const broken = { ...context, store: { ...context.store, readNote: fails, changeNote: fails } }
  const refused = () => Promise.reject(new Problem('key_rejected'))
  await expect(logFailedSignIn(broken, refused)).rejects.toMatchObject({ code: 'key_rejected' })
  await expect(logFailedSignIn(context, refused)).rejects.toMatchObject({ code: 'key_rejected' })
  const lines = ['store_unavailable', 'key_rejected'].map((code) => ({
    level: 'warn',
    event: 'sign_in',
    code,
  }))
  expect(log).toEqual([...lines, { ...lines[1], source: await nameAddress(context) }])
})
