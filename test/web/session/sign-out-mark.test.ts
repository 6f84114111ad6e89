import { expect, test, vi } from 'vitest'
import { markedSignOut, markSignOut, unmarkSignOut } from '../../../src/web/session/sign-out-mark.ts'

const DAY_MS = 86_400_000

test('a mark stays until it is removed, and holds only the session’s end (ASVS 14.3.3)', () => {
  expect(markedSignOut()).toBeUndefined()
  const endsAtMs = Date.now() + DAY_MS
  markSignOut(endsAtMs)
  expect(markedSignOut()).toBe(endsAtMs)
  expect([localStorage.length, localStorage.getItem(localStorage.key(0) ?? '')]).toEqual([
    1,
    String(endsAtMs),
  ])
  unmarkSignOut()
  expect(markedSignOut()).toBeUndefined()
})

test('a session that has ended by itself needs no sign-out (4)', () => {
  markSignOut(Date.now() - 1)
  expect(markedSignOut()).toBeUndefined()
})

test('an unknown end is the latest possible instant (4)', () => {
  markSignOut()
  expect(markedSignOut()).toBeGreaterThan(Date.now() + 29 * DAY_MS)
})

test.each(['', 'true', '-1', '1e99', '9'.repeat(16)])('%j in the storage is not a mark', (value) => {
  markSignOut()
  localStorage.setItem(localStorage.key(0) ?? '', value)
  expect(markedSignOut()).toBeUndefined()
})

test('a browser that forbids the storage has no mark, and no error', () => {
  vi.stubGlobal('localStorage', undefined)
  markSignOut()
  unmarkSignOut()
  expect(markedSignOut()).toBeUndefined()
})
