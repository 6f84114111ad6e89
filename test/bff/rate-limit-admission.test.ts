import { expect, test } from 'vitest'
import { changeOrganizationNote, changeTokenNote, type StoredPause } from '../../src/bff/limit-note.ts'
import { admit, countInFlight } from '../../src/bff/rate-limit-admission.ts'
import { fold } from '../../src/contract/gauge.ts'
import type { Observation } from '../../src/contract/rate-limit.ts'
import { createFixture, STANDARD } from '../_fixture.ts'
import { createContext, problemOf, START_MS } from './_context.ts'

const PATH = `/organizations/${STANDARD}`
const OWNER = { token: 'a token', organization: '1001' }
const pause = (code: StoredPause['code'], inMs: number): StoredPause => ({
  code,
  reasons: ['a reason'],
  untilMs: START_MS + inMs,
})

/** A context with a pause of the minute, a suspicion of the month, or both. */
async function paused(minute?: StoredPause, monthPause?: StoredPause) {
  const made = createContext()
  await changeTokenNote(made.context, OWNER.token, () => ({
    gauges: {},
    pauses: minute ? { read: minute } : {},
  }))
  await changeOrganizationNote(made.context, OWNER.organization, () => ({
    limits: {},
    ...(monthPause && { monthPause }),
  }))
  return made
}

const MINUTE = pause('rate_limited', 20_000)
const MONTH = pause('month_suspected', 86_400_000)
test.each([
  ['a pause of the minute', 'rate_limited', 'rate_limited', MINUTE, undefined],
  ['a suspicion of the month', 'month_suspected', undefined, undefined, MONTH],
  ['a pause beside a suspicion', 'rate_limited', 'rate_limited', MINUTE, MONTH],
])(
  '%s stops a repetition with %s, and a read on request with %s (8.2, 8.3)',
  async (_, repeated, requested, minute, month) => {
    const { context } = await paused(minute, month)
    const code = async (byPerson: boolean) =>
      ((await problemOf(admit(context, OWNER, 'read', byPerson))) as { code?: string }).code
    expect([await code(false), await code(true)]).toEqual([repeated, requested])
  },
)

test('a pause is of one class and one token (8.2)', async () => {
  const { context } = await paused(MINUTE)
  expect(await problemOf(admit(context, OWNER, 'update', true))).toBe('no problem')
  expect(await problemOf(admit(context, { ...OWNER, token: 'another' }, 'read', true))).toBe('no problem')
})

test('a pause is over at its end, and not before (8.2)', async () => {
  const { context, clock } = await paused(MINUTE)
  clock.ms += 19_999
  expect(await problemOf(admit(context, OWNER, 'read', true))).toEqual({ code: 'rate_limited', retryInMs: 1 })
  clock.ms += 1
  expect(await problemOf(admit(context, OWNER, 'read', true))).toBe('no problem')
})

test('after a pause one request is sent, and the others wait for its answer (2.2)', async () => {
  const { context, clock } = await paused(MINUTE)
  clock.ms += 20_000
  const release = await admit(context, OWNER, 'read', true)
  let admitted = 0
  const others = [1, 2].map(async () => {
    const releaseOther = await admit(context, OWNER, 'read', true)
    admitted += 1
    return releaseOther
  })
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect(admitted).toBe(0)
  await changeTokenNote(context, OWNER.token, ({ gauges }) => ({ gauges, pauses: {} }))
  release()
  for (const other of await Promise.all(others)) other()
  expect([admitted, countInFlight(context.memory, OWNER.token, 'read')]).toEqual([2, 0])
})

/** A context in which these were observed at the start. */
async function measured(...observations: Partial<Observation>[]) {
  const made = createContext()
  const seen = { class: 'read', assumed: false, notes: [], servedAtSeconds: START_MS / 1000 } as const
  await changeTokenNote(made.context, OWNER.token, () => ({
    gauges: fold(
      {},
      observations.map((observation) => ({ ...seen, ...observation })),
    ),
    pauses: {},
  }))
  return made
}
const RESET_SECONDS = START_MS / 1000 + 20

test('a used-up window refuses until its reset, with its reason (8.2)', async () => {
  const { context } = await measured({ limit: 60, remaining: 0, resetAtSeconds: RESET_SECONDS })
  await expect(admit(context, OWNER, 'read', true)).rejects.toMatchObject({
    code: 'rate_limited',
    retryInMs: 21_000,
    reasons: ['No requests of this minute are left.'],
  })
})

test('a window that was used up is doubtful after its reset, a window with some left is not (2.2)', async () => {
  const probes = async (remaining: number) => {
    const { context, clock } = await measured({ limit: 60, remaining, resetAtSeconds: RESET_SECONDS })
    clock.ms += 21_000
    await admit(context, OWNER, 'read', true)
    return context.memory.probes.size
  }
  expect([await probes(0), await probes(1)]).toEqual([1, 0])
})

test('a measured window is not doubtful, though one before it was used up (2.2)', async () => {
  const { context } = await measured(
    { remaining: 0, servedAtSeconds: START_MS / 1000 - 61 },
    { limit: 60, remaining: 7, resetAtSeconds: RESET_SECONDS },
  )
  await admit(context, OWNER, 'read', true)
  expect(context.memory.probes.size).toBe(0)
})

test('requests in flight are counted until each is answered (8.2)', async () => {
  const { context } = createContext()
  const count = () => countInFlight(context.memory, OWNER.token, 'read')
  const [first, second] = [
    await admit(context, OWNER, 'read', true),
    await admit(context, OWNER, 'read', true),
  ]
  expect(count()).toBe(2)
  expect(countInFlight(context.memory, 'another', 'read')).toBe(0)
  expect(countInFlight(context.memory, OWNER.token, 'update')).toBe(0)
  first()
  expect(count()).toBe(1)
  second()
  expect([count(), context.memory.inFlight.size]).toEqual([0, 0])
})

test('the last request of a minute is sent once, also while it is in flight (8.2)', async () => {
  const fixture = createFixture()
  const browser = fixture.browser()
  await browser.signIn()
  for (let read = 0; read < 58; read += 1) await browser.spend(PATH)
  expect((await browser.quota()).read.remaining).toBe(1)
  const answers = await Promise.all([browser.spend(PATH), browser.spend('/organizations')])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 429])
  expect(fixture.paid()).toHaveLength(60)
})

test('a suspicion of the month stops the repetition that no person asked for (8.3)', async () => {
  const fixture = createFixture()
  const browser = fixture.browser()
  await browser.signIn()
  const refuse = (status: number) =>
    fixture.intercept((request, through) =>
      request.url.endsWith('/oauth2/token')
        ? through(request)
        : Promise.resolve(new Response('{}', { status })),
    )
  refuse(402)
  await browser.spend(PATH)
  refuse(401)
  const before = fixture.paid().length
  expect((await browser.spend(PATH)).body.code).toBe('month_suspected')
  expect(fixture.paid()).toHaveLength(before + 1)
})
