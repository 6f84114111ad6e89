import { expect, test } from 'vitest'
import type { Tokens } from '../../../src/bff/core/context.ts'
import { reserve } from '../../../src/bff/service/ledger.ts'
import type { Measurement } from '../../../src/bff/core/measurement.ts'
import { quotaAt, quotaHolder, readSharedMonth, snapshotText } from '../../../src/bff/quota/snapshot.ts'
import { readLimits } from '../../../src/bff/limits/snapshot.ts'
import { readRefreshNote } from '../../../src/bff/token/refresh-note.ts'
import { storeSession, tokenOf } from '../../../src/bff/session/record.ts'
import { ASSUMED } from '../../../src/contract/assumptions.ts'
import { createContext, START_MS } from '../_context.ts'

const ENDS_MS = START_MS + 3_600_000

async function createSession() {
  const { context, clock } = createContext()
  const tokens: Tokens = { accessToken: 'access', staleAtMs: ENDS_MS, expiresAtMs: ENDS_MS }
  const credential = { method: 'oauth', organizationId: '1001', tokens } as const
  const { session } = await storeSession(context, { credential, proven: true, copies: {} })
  return { context, clock, session }
}

test('a holder has nothing of what the record has, but when its token is over', async () => {
  const { context, session } = await createSession()
  expect(quotaHolder(session)).toEqual({
    token: tokenOf(session.record.credential),
    organization: '1001',
    session: session.id,
    tokens: { staleAtMs: ENDS_MS, expiresAtMs: ENDS_MS },
  })
  const key = { method: 'api_key', apiKey: 'a key', name: 'name-of-a-key' } as const
  const { session: ofKey } = await storeSession(context, { credential: key, proven: true, copies: {} })
  expect(quotaHolder(ofKey)).toEqual({
    token: 'name-of-a-key',
    organization: 'key name-of-a-key',
    session: ofKey.id,
  })
})

test('a snapshot as text is the snapshot as JSON, and its month is measured where a plan is known (5.4, 8.2, 8.3)', async () => {
  const { context, clock, session } = await createSession()
  const holder = quotaHolder(session)
  const measured: Measurement[] = []
  const measuring = { ...context, measure: (one: Measurement) => void measured.push(one) }
  const entry = { kind: 'api.read', method: 'GET', path: '/organizations', initiator: 'person' } as const
  await reserve(context, { ...entry, organization: '1001', token: holder.token })
  const known = {
    version: 7,
    limits: await readLimits(context, holder, clock.ms),
    refresh: await readRefreshNote(context, session, holder.token),
    assumed: ASSUMED,
  }
  const month = await readSharedMonth(context, '1001', clock.ms, ASSUMED)
  const read = quotaAt(measuring, holder, known, month)
  expect(JSON.parse(snapshotText(read))).toEqual({ ...read.own, month: month.snapshot })
  expect(read.own).toMatchObject({ version: 7, refresh: { due_in_ms: 3_600_000 }, read: { in_flight: 1 } })
  expect(measured).toEqual([])
  const measurement: Measurement = { what: 'month', plan: 'standard', leftShare: 0.5 }
  quotaAt(measuring, holder, known, { ...month, measurement })
  expect(measured).toEqual([measurement])
})
