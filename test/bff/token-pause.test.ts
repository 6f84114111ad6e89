import { expect, test } from 'vitest'
import { assertNoTokenPause, pauseTokenEndpoint } from '../../src/bff/token-pause.ts'
import { createContext, problemOf, START_MS } from './_context.ts'

const limited = (retryInMs: number) => ({ code: 'limit_unknown', retryInMs })

test.each([
  [20_000, 20_000],
  [undefined, 60_000],
  [0, 1000],
  [86_400_000, 3_600_000],
])('a wait of %s ms pauses the token endpoint for %d ms, and no longer (8)', async (waitMs, pausedMs) => {
  const { context, clock } = createContext()
  expect(await problemOf(assertNoTokenPause(context))).toBe('no problem')
  expect(await pauseTokenEndpoint(context, waitMs)).toBe(pausedMs)
  expect(await problemOf(assertNoTokenPause(context))).toEqual(limited(pausedMs))
  clock.ms += pausedMs - 1
  expect(await problemOf(assertNoTokenPause(context))).toEqual(limited(1))
  clock.ms += 1
  expect(await problemOf(assertNoTokenPause(context))).toBe('no problem')
})

test('a later pause extends an earlier one and never shortens it, nor does a sweep of the store (8)', async () => {
  const { context, clock } = createContext()
  await pauseTokenEndpoint(context, 50_000)
  await pauseTokenEndpoint(context, 5000)
  expect(await problemOf(assertNoTokenPause(context))).toEqual(limited(50_000))
  clock.ms += 5000
  await context.store.sweep(clock.ms)
  expect(await problemOf(assertNoTokenPause(context))).toEqual(limited(45_000))
  await pauseTokenEndpoint(context, 60_000)
  expect(await problemOf(assertNoTokenPause(context))).toEqual(limited(60_000))
})

test.each([
  ['of the layout before', START_MS + 60_000],
  ['of another format', { format: 2, value: { untilMs: START_MS + 60_000 } }],
  ['that is damaged', { format: 1, value: { untilMs: '1e15' } }],
])('a pause %s is absent (8)', async (_, note) => {
  const { context } = createContext()
  await context.store.changeNote('token endpoint', () => note, START_MS + 60_000)
  expect(await problemOf(assertNoTokenPause(context))).toBe('no problem')
})

test('a pause that another process stored holds here too (8)', async () => {
  const { context } = createContext()
  const note = { format: 1, value: { untilMs: START_MS + 60_000 } }
  await context.store.changeNote('token endpoint', () => note, START_MS + 60_000)
  expect(await problemOf(assertNoTokenPause(context))).toEqual(limited(60_000))
})
