/** `GET /bff/quota`: all that is known of the quota, without a request to the service. */
import { Answer, type Inbound } from '../contract/answer.ts'
import type { Assumptions } from '../contract/assumptions.ts'
import type { QuotaSnapshot, RefreshSnapshot } from '../contract/quota.ts'
import { type Context, serviceNowMs, type Tokens } from './context.ts'
import { readAssumptions } from './findings.ts'
import { measureMonth } from './measurement.ts'
import { readMonth } from './month.ts'
import { readLimits } from './rate-limit-snapshot.ts'
import { type State, stateOf } from './refresh-state.ts'
import { type LoadedSession, limitOwner, requireSession } from './session-record.ts'

/** Answers the snapshot. @throws Problem `signed_out` */
export async function getQuota(context: Context, request: Inbound): Promise<Answer> {
  return Answer.json(await readQuota(context, await requireSession(context, request)))
}

/** All that is known of the quota that a session uses, at one instant. */
export async function readQuota(context: Context, session: LoadedSession): Promise<QuotaSnapshot> {
  const owner = limitOwner(session)
  const nowMs = serviceNowMs(context)
  // Before the rest: what is read then has all up to this change.
  const version = await context.store.readVersion()
  const assumed = await readAssumptions(context)
  const [{ windows, pauses }, month, refresh] = await Promise.all([
    readLimits(context, owner, nowMs),
    readMonth(context, owner.organization, nowMs, assumed),
    readRefresh(context, session, assumed),
  ])
  const measurement = measureMonth({ month })
  if (measurement !== undefined) context.measure(measurement)
  return {
    version,
    token: owner.token,
    ...(refresh && { refresh }),
    read: windows.read,
    update: windows.update,
    month,
    pauses,
  }
}

/** When a press refreshes the access token first (5.4), and whether that counts in the month; `undefined` for an API key. */
async function readRefresh(
  context: Context,
  session: LoadedSession,
  assumed: Assumptions,
): Promise<RefreshSnapshot | undefined> {
  const { credential } = session.record
  if (credential.method === 'api_key') return undefined
  const { need } = await stateOf(context, session, credential)
  return refreshAt(context.now(), need, credential.tokens, assumed)
}

/** The same of what was read. @param nowMs of our own clock */
export function refreshAt(
  nowMs: number,
  need: State['need'],
  { staleAtMs }: Pick<Tokens, 'staleAtMs'>,
  { counts_in_month }: Assumptions,
): RefreshSnapshot {
  const leftMs = need === 'none' ? staleAtMs - nowMs : 0
  return { due_in_ms: Math.max(0, Math.ceil(leftMs)), counts: counts_in_month['token.refresh'] }
}
