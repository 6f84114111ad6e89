import { expect, test } from 'vitest'
import { assertNoTokenPause, countTokenFailure, forgetTokenFailures } from '../../../src/bff/token/pause.ts'
import { createContext, problemOf, START_MS } from '../_context.ts'

const LIMIT = (retryInMs?: number) => ({ code: 'limit_unknown', retryInMs }) as const
const FAILURE = { code: 'upstream_failed', retryInMs: undefined } as const
const NONE = 'no problem'

/** A context, with the pause that a refresh and a code exchange meet in it. */
function created() {
  const made = createContext()
  const refresh = () => problemOf(assertNoTokenPause(made.context, 'token.refresh'))
  const exchange = () => problemOf(assertNoTokenPause(made.context, 'token.code'))
  return { ...made, refresh, exchange }
}

test.each([
  [20_000, 20_000],
  [0, 2000],
  [86_400_000, 30_000],
])(
  'a 429 that asks for %s ms pauses the token endpoint for %d ms at most, and no longer (8)',
  async (asked, most) => {
    const { context, clock, refresh, exchange } = created()
    const pausedMs = (await countTokenFailure(context, LIMIT(asked))) ?? 0
    expect(pausedMs).toBeGreaterThanOrEqual(Math.min(1000, most))
    expect(pausedMs).toBeLessThanOrEqual(most)
    expect([await refresh(), await exchange()]).toEqual([LIMIT(pausedMs), LIMIT(pausedMs)])
    clock.ms += pausedMs - 1
    expect(await refresh()).toEqual(LIMIT(1))
    clock.ms += 1
    expect([await refresh(), await exchange()]).toEqual([NONE, NONE])
  },
)

test('a 429 without Retry-After pauses it for two seconds at most (8)', async () => {
  const { context, clock, refresh } = created()
  expect(await countTokenFailure(context, LIMIT())).toBeLessThanOrEqual(2000)
  clock.ms += 2000
  expect(await refresh()).toBe(NONE)
})

test('three failures in a row pause refreshes, and no sign-in; a success forgets them (RFC 9110 15.6)', async () => {
  const { context, refresh, exchange } = created()
  const { changeNote } = context.store
  context.store.changeNote = () => Promise.reject(new Error('there is nothing to write'))
  await forgetTokenFailures(context)
  context.store.changeNote = changeNote
  const waits = [await countTokenFailure(context, FAILURE), await countTokenFailure(context, FAILURE)]
  expect([...waits, await refresh()]).toEqual([undefined, undefined, NONE])
  const pausedMs = await countTokenFailure(context, FAILURE)
  expect(await refresh()).toEqual({ code: 'upstream_failed', retryInMs: pausedMs })
  expect(await exchange()).toBe(NONE)
  await forgetTokenFailures(context)
  expect(await refresh()).toBe(NONE)
  expect(await countTokenFailure(context, FAILURE)).toBeUndefined()
})

test('the more failures the longer the pause, up to half a minute (RFC 9110 15.6)', async () => {
  const { context } = created()
  const waits: number[] = []
  for (let failures = 0; failures < 40; failures += 1)
    waits.push((await countTokenFailure(context, FAILURE)) ?? 0)
  expect(Math.max(...waits)).toBeGreaterThan(4000)
  expect(Math.max(...waits)).toBeLessThanOrEqual(30_000)
})

test('a later pause extends an earlier one and never shortens it, nor does a sweep of the store (8)', async () => {
  const { context, clock, refresh, exchange } = created()
  await countTokenFailure(context, LIMIT(25_000))
  await countTokenFailure(context, LIMIT(0))
  for (const _ of [1, 2]) await countTokenFailure(context, FAILURE)
  expect(await refresh()).toEqual(LIMIT(25_000))
  clock.ms += 5000
  await context.store.sweep(clock.ms)
  expect(await refresh()).toEqual(LIMIT(20_000))
  await countTokenFailure(context, LIMIT(30_000))
  expect(await refresh()).toEqual(LIMIT(30_000))
  await countTokenFailure(context, { ...FAILURE, retryInMs: 30_000 })
  expect(await exchange()).toEqual(LIMIT(30_000))
})

test.each([
  ['of the layout before', { format: 1, value: { untilMs: START_MS + 60_000 } }],
  ['that is damaged', { format: 2, value: { untilMs: '1e15', code: 'limit_unknown', failures: 1 } }],
])('a pause %s is absent (8)', async (_, note) => {
  const { context, refresh } = created()
  await context.store.changeNote('token endpoint', () => note, START_MS + 60_000)
  expect(await refresh()).toBe(NONE)
})

test('a pause that another process stored holds here too (8)', async () => {
  const { context, refresh } = created()
  const value = { untilMs: START_MS + 60_000, code: 'limit_unknown', failures: 1 }
  await context.store.changeNote('token endpoint', () => ({ format: 2, value }), START_MS + 60_000)
  expect(await refresh()).toEqual(LIMIT(60_000))
})
