/** The snapshots of many sessions at one instant: what several of them need is read once, and the month of an organization serialized once. */
import type { Assumptions } from '../contract/assumptions.ts'
import { type Context, serviceNowMs, type Tokens } from './context.ts'
import { readAssumptions } from './findings.ts'
import { type LimitOwner, limitNoteNames, parseLimitNotes } from './limit-note.ts'
import { type Measurement, measureMonth } from './measurement.ts'
import { readMonth } from './month.ts'
import { refreshAt } from './quota.ts'
import { countInFlightOf } from './rate-limit-admission.ts'
import { limitsAt } from './rate-limit-snapshot.ts'
import { refreshName, refreshNoteOf } from './refresh-note.ts'
import { needOf } from './refresh-state.ts'
import { type LoadedSession, limitOwner } from './session-record.ts'

/** What the snapshot of a session depends on beside the store: small, since every stream has one. */
export interface QuotaHolder extends Pick<LimitOwner, 'token' | 'organization' | 'session'> {
  /** Absent for an API key. */
  tokens?: Pick<Tokens, 'staleAtMs' | 'expiresAtMs'>
}

export function quotaHolder(session: LoadedSession): QuotaHolder {
  const { token, organization, session: id } = limitOwner(session)
  const { credential } = session.record
  if (credential.method === 'api_key') return { token, organization, session: id }
  const { staleAtMs, expiresAtMs } = credential.tokens
  return { token, organization, session: id, tokens: { staleAtMs, expiresAtMs } }
}

/** What all sessions of an organization have in common. */
interface SharedMonth {
  text: string
  measurement: Measurement | undefined
}

/** @returns the snapshots as JSON, in the order of the holders; each has what its own token and organization have, and fails alone */
export async function readQuotas(
  context: Context,
  holders: readonly QuotaHolder[],
): Promise<PromiseSettledResult<string>[]> {
  const nowMs = serviceNowMs(context)
  // Before the rest: what is read then has all up to this change.
  const version = await context.store.readVersion()
  const assumed = await readAssumptions(context)
  const [own, monthOf] = await Promise.all([
    readOwn(context, holders),
    readMonths(context, holders, nowMs, assumed),
  ])
  return Promise.allSettled(
    holders.map(async (holder, nth) => {
      const { text, measurement } = monthOf(holder.organization)
      const { windows, pauses } = limitsAt(nowMs, own.limitNotes(holder), own.inFlight(nth))
      const refresh = refreshOf(context, holder, own.refreshNote(holder), assumed)
      if (measurement !== undefined) context.measure(measurement)
      const { token } = holder
      const rest = JSON.stringify({ version, token, refresh, ...windows, pauses })
      return `${rest.slice(0, -1)},"month":${text}}`
    }),
  )
}

/** What is stored of the token, the organization and the refresh of each. */
async function readOwn(context: Context, holders: readonly QuotaHolder[]) {
  const tokens = holders.map(({ token }) => token)
  const names = new Set(
    holders.flatMap((holder) => [...limitNoteNames(holder), refreshName({ id: holder.session })]),
  )
  const [stored, read, update] = await Promise.all([
    context.store.readNotes([...names]),
    countInFlightOf(context, tokens, 'read'),
    countInFlightOf(context, tokens, 'update'),
  ])
  const notes = new Map([...names].map((name, nth) => [name, stored[nth]]))
  const noteOf = (name: string) => notes.get(name)
  return {
    limitNotes: (holder: QuotaHolder) => parseLimitNotes(limitNoteNames(holder).map(noteOf)),
    refreshNote: ({ session, token }: QuotaHolder) =>
      refreshNoteOf(noteOf(refreshName({ id: session })), token),
    inFlight: (nth: number) => ({ read: read[nth] ?? 0, update: update[nth] ?? 0 }),
  }
}

/** @returns gives the month of an organization, or throws what it could not be read for */
async function readMonths(
  context: Context,
  holders: readonly QuotaHolder[],
  nowMs: number,
  assumed: Assumptions,
): Promise<(organization: string) => SharedMonth> {
  const organizations = [...new Set(holders.map(({ organization }) => organization))]
  const read = await Promise.allSettled(
    organizations.map(async (organization) => {
      const month = await readMonth(context, organization, nowMs, assumed)
      return { text: JSON.stringify(month), measurement: measureMonth({ month }) }
    }),
  )
  const months = new Map(organizations.map((organization, nth) => [organization, read[nth]]))
  return (organization) => {
    const month = months.get(organization)
    if (month?.status !== 'fulfilled') throw month?.reason
    return month.value
  }
}

function refreshOf(
  { now }: Context,
  { tokens }: QuotaHolder,
  note: ReturnType<typeof refreshNoteOf>,
  assumed: Assumptions,
) {
  const nowMs = now()
  return tokens && refreshAt(nowMs, needOf(note, tokens, nowMs), tokens, assumed)
}
