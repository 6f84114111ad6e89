import { expect, test } from 'vitest'
import { knownState, type Moment } from '../../../src/bff/limits/known-state.ts'
import { changeOrganizationNote, changeTokenNote } from '../../../src/bff/limits/note.ts'
import { ASSUMED } from '../../../src/contract/assumptions.ts'
import { Problem } from '../../../src/contract/problem.ts'
import { createContext, START_MS } from '../_context.ts'

const owner = { token: 'a token', organization: 'a', session: 'a session' }
const reading = { remaining: 3, notes: [] }
const moment: Moment = { nowMs: START_MS, assumed: ASSUMED }
const answer = (status: number, text = '{}') => ({
  status,
  text,
  headers: new Headers(),
  sentAtMs: START_MS,
  servedAtSeconds: START_MS / 1000,
})

/** An organization of the Standard plan that has sent a read and a refresh in this minute. */
async function organization() {
  const made = createContext()
  const { context } = made
  await changeOrganizationNote(context, 'a', () => ({ limits: { read: 60 } }))
  await changeTokenNote(context, 'a token', () => ({
    gauges: {},
    pauses: { read: { code: 'limit_unknown', reasons: [], untilMs: START_MS } },
  }))
  for (const kind of ['api.read', 'token.refresh'] as const)
    await context.store.reserve({
      id: kind,
      organization: 'a',
      token: 'a token',
      kind,
      method: 'GET',
      path: '/',
      initiator: 'person',
      atMs: START_MS,
    })
  const state = (status: number, text?: string, at = moment) =>
    knownState(
      context,
      { owner, requestClass: 'read', tokenExpired: true },
      answer(status, text),
      reading,
      at,
    )
  return { ...made, state }
}

test('a plain success needs no count, and any other answer all of them (8.2, 8.3)', async () => {
  const { state } = await organization()
  const known = { serviceNowMs: START_MS, tokenExpired: true }
  expect(await state(200)).toEqual(known)
  const counted = {
    ...known,
    month: { sent: 2, limit: 100 },
    minute: { reading, sent: 1, limit: 60, unknownBefore: true },
  }
  expect(await state(403)).toEqual(counted)
  expect(await state(200, '{"error":"x"}')).toEqual(counted)
})

test.each([
  ['of the Standard plan', { read: 60 }, { month: 100, read: 60, update: 15 }],
  ['of no plan that is known', { read: 50 }, { month: undefined, read: 50, update: undefined }],
  ['that has not been seen', {}, { month: undefined, read: undefined, update: undefined }],
])('with a limit %s the others are its own (8.2, 8.3)', async (_, limits, expected) => {
  const { context } = createContext()
  await changeOrganizationNote(context, 'a', () => ({ limits }))
  const stateOf = (requestClass: 'read' | 'update') =>
    knownState(context, { owner, requestClass, tokenExpired: false }, answer(403), reading, moment)
  const [read, update] = [await stateOf('read'), await stateOf('update')]
  expect({ month: read.month?.limit, read: read.minute?.limit, update: update.minute?.limit }).toEqual(
    expected,
  )
  expect(read.minute?.unknownBefore).toBe(false)
})

test('an answer before this one that was another problem is not an unknown limit (8.4.3)', async () => {
  const { context, state } = await organization()
  await changeTokenNote(context, 'a token', () => ({
    gauges: {},
    pauses: { read: { code: 'rate_limited', reasons: [], untilMs: START_MS } },
  }))
  expect((await state(403)).minute?.unknownBefore).toBe(false)
})

test('the month is counted by what is known of the service (8.3)', async () => {
  const { state } = await organization()
  const counts_in_month = { ...ASSUMED.counts_in_month, 'token.refresh': 'no' } as const
  const { month } = await state(403, '', { ...moment, assumed: { ...ASSUMED, counts_in_month } })
  expect(month?.sent).toBe(1)
})

test('if the store fails, the answer alone decides, and the failure is logged (8.3)', async () => {
  const { context, log, state } = await organization()
  context.store.countSent = () => Promise.reject(new Problem('store_unavailable'))
  expect(await state(403)).toEqual({ serviceNowMs: START_MS, tokenExpired: true })
  expect(log).toMatchObject([{ level: 'warn', event: 'problem', code: 'store_unavailable' }])
  context.store.countSent = () => Promise.reject(new Error('a defect'))
  await expect(state(403)).rejects.toThrow('a defect')
})
