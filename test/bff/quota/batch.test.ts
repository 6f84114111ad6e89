import { expect, test } from 'vitest'
import type { Context, Tokens } from '../../../src/bff/core/context.ts'
import { reserve } from '../../../src/bff/service/ledger.ts'
import { changeOrganizationNote, changeTokenNote } from '../../../src/bff/limits/note.ts'
import type { Measurement } from '../../../src/bff/core/measurement.ts'
import { readQuota } from '../../../src/bff/quota/quota.ts'
import { quotaHolder, snapshotText } from '../../../src/bff/quota/snapshot.ts'
import { readQuotas } from '../../../src/bff/quota/batch.ts'
import { changeRefreshNote } from '../../../src/bff/token/refresh-note.ts'
import { type LoadedSession, storeSession, tokenOf } from '../../../src/bff/session/record.ts'
import { fold } from '../../../src/contract/gauge.ts'
import { createContext, START_MS } from '../_context.ts'

const HOUR_MS = 3_600_000
const REASONS = [{ code: 'minute_used_up' }] as const

/** Sessions of two organizations, one by a key and one that is not proven; each has another minute. */
async function createSessions() {
  const { context, clock } = createContext()
  const open = async (nth: number, organizationId: string, proven = true) => {
    const ends = START_MS + (nth + 1) * HOUR_MS
    const tokens: Tokens = { accessToken: `access ${nth}`, staleAtMs: ends, expiresAtMs: ends }
    const credential = { method: 'oauth', organizationId, tokens } as const
    const { session } = await storeSession(context, { credential, proven, copies: {} })
    await changeTokenNote(context, tokenOf(credential), () => ({
      gauges: fold({}, [
        { notes: [], assumed: false, servedAtSeconds: START_MS / 1000, class: 'read', remaining: 10 + nth },
      ]),
      pauses:
        nth === 1 ? { update: { code: 'rate_limited', reasons: REASONS, untilMs: START_MS + 9000 } } : {},
    }))
    return session
  }
  const key = { method: 'api_key', apiKey: 'a key', name: 'name-of-a-key' } as const
  const { session: ofKey } = await storeSession(context, { credential: key, proven: true, copies: {} })
  const sessions = [
    await open(0, '1001'),
    await open(1, '1001'),
    await open(2, '2002'),
    await open(3, '2002', false),
    ofKey,
  ]
  await changeOrganizationNote(context, '1001', () => ({ limits: { read: 60 } }))
  const entry = { kind: 'api.read', method: 'GET', path: '/organizations', initiator: 'person' } as const
  const token = tokenOf(sessions[1]!.record.credential)
  await reserve(context, { ...entry, organization: '1001', token })
  const other = tokenOf(sessions[0]!.record.credential)
  await reserve(context, { ...entry, kind: 'api.update', organization: 'another', token: other })
  await changeRefreshNote(context, sessions[2]!, tokenOf(sessions[2]!.record.credential), (known) => ({
    ...known,
    isRefused: true,
  }))
  return { context, clock, sessions }
}

/** The snapshots of sessions that are read together, or why there is none. */
async function readTexts(context: Context, sessions: readonly LoadedSession[]): Promise<unknown[]> {
  const holders = sessions.map(quotaHolder)
  const quotaOf = await readQuotas(context, holders)
  return holders.map((holder): unknown => {
    try {
      return JSON.parse(snapshotText(quotaOf(holder)))
    } catch (error) {
      return error
    }
  })
}

test('each session gets its own snapshot, as if it were read alone (8.2, 8.3)', async () => {
  const { context, clock, sessions } = await createSessions()
  for (const passMs of [0, 5000, 2 * HOUR_MS]) {
    clock.ms += passMs
    const alone = await Promise.all(sessions.map((session) => readQuota(context, session)))
    expect(await readTexts(context, sessions)).toEqual(
      alone.map((quota): unknown => JSON.parse(JSON.stringify(quota))),
    )
  }
})

test('sessions of one organization have its month in common, and neither minute nor refresh; others not even that (8.2, 8.3)', async () => {
  const { context, sessions } = await createSessions()
  const read = (await readTexts(context, sessions)) as Record<string, unknown>[]
  expect(read.map(({ read }) => read)).toMatchObject([
    { remaining: 10, in_flight: 0 },
    { remaining: 11, in_flight: 1 },
    { remaining: 12, in_flight: 0 },
    { remaining: 13, in_flight: 0 },
    { known: 'unseen' },
  ])
  expect(read.map(({ update }) => update)).toMatchObject([1, 0, 0, 0, 0].map((in_flight) => ({ in_flight })))
  expect(read.map(({ month }) => month)).toMatchObject([
    { plan: 'standard', high: 1 },
    { plan: 'standard', high: 1 },
    { high: 0 },
    { high: 0 },
    { high: 0 },
  ])
  const refreshes = read.map(({ refresh }) => (refresh as { due_in_ms: number } | undefined)?.due_in_ms)
  expect(refreshes).toEqual([HOUR_MS, 2 * HOUR_MS, 0, 4 * HOUR_MS, undefined])
  expect(read.map(({ pauses }) => (pauses as unknown[]).length)).toEqual([0, 1, 0, 0, 0])
  expect(new Set(read.map(({ token }) => token)).size).toBe(5)
})

test('the month of an organization is read once for all its sessions, and measured for each (8.3)', async () => {
  const { context, sessions } = await createSessions()
  const measured: Measurement[] = []
  const asked: string[] = []
  const { countByKind } = context.store
  context.store.countByKind = (organization, sinceMs) => {
    asked.push(organization)
    return countByKind(organization, sinceMs)
  }
  await readTexts({ ...context, measure: (one) => void measured.push(one) }, [...sessions, ...sessions])
  expect(asked.filter((organization) => organization === '1001')).toHaveLength(2)
  expect(measured).toHaveLength(4)
})

test('a month that cannot be read fails the sessions of its organization, and no others (attack 72)', async () => {
  const { context, sessions } = await createSessions()
  const defect = new TypeError('a defect')
  const { countByKind } = context.store
  context.store.countByKind = (organization, sinceMs) =>
    organization === '1001' ? Promise.reject(defect) : countByKind(organization, sinceMs)
  const read = await readTexts(context, sessions)
  expect(read.map((one) => (one === defect ? 'failed' : 'read'))).toEqual([
    'failed',
    'failed',
    'read',
    'read',
    'read',
  ])
})
