/** `GET /bff/quota`: everything known of a session's quota, without a request to the service. */
import type { Assumptions, Counts } from '../../contract/assumptions.ts'
import { windowAt } from '../../contract/gauge.ts'
import { pauseLeftMs, type StoredPause } from '../../contract/limit-notes.ts'
import type { PriceFacts, RefreshSnapshot } from '../../contract/price.ts'
import type { Pause, QuotaSnapshot, WindowSnapshot } from '../../contract/quota.ts'
import type { RequestClass } from '../../contract/rate-limit.ts'
import type { Topic } from '../../store/store.ts'
import { clockNoteName } from '../core/clock.ts'
import { type Context, serviceNowMs, type Tokens } from '../core/context.ts'
import { measureMonth } from '../core/measurement.ts'
import { ifKnown, readAssumptions } from '../evidence/findings.ts'
import { countInFlight } from '../limits/admission.ts'
import { readMonth } from '../limits/month.ts'
import { type LimitNotes, limitNoteNames, parseLimitNotes } from '../limits/note.ts'
import type { LimitOwner } from '../session/limit-owner.ts'
import { type LoadedSession, limitOwner, personOf } from '../session/record.ts'
import { requireSession } from '../session/use.ts'
import {
  needOf,
  parseRefreshNote,
  type RefreshNote,
  refreshName,
  retryInMsOf,
} from '../token/refresh-state.ts'
import { type RecentEntry, readRecent, recentOnWire } from './recent.ts'

/** The part of a session that its snapshot depends on. It is small: every event stream keeps one. */
export interface QuotaHolder extends Pick<LimitOwner, 'token' | 'organization'> {
  person: string
  /** The id of the grant, whose row has the tokens. */
  grant: string
  /** Absent for an API key. */
  tokens?: Pick<Tokens, 'staleAtMs' | 'expiresAtMs'>
}

/** Everything that a snapshot of a token and its organization depends on. */
export const quotaTopics = (
  context: Context,
  { token, organization }: Pick<LimitOwner, 'token' | 'organization'>,
): Topic[] => [
  `token ${token}`,
  `organization ${organization}`,
  `service ${context.config.serviceUrl}`,
  clockNoteName(context),
]

/** Shared by the snapshots of an organization's sessions. */
interface Shared {
  month: QuotaSnapshot['month']
  recent: readonly RecentEntry[]
}

interface Moment {
  /** The service's time. */
  nowMs: number
  assumed: Assumptions
}

interface HolderValues extends Moment {
  /** Version and epoch are the store's. */
  version: number
  epoch: string
  limits: LimitSnapshot
  refresh: RefreshNote
}

/** @throws Problem `signed_out` */
export async function getQuota(context: Context, request: Request): Promise<Response> {
  return Response.json(await readSnapshot(context, await requireSession(context, request)))
}

export async function readSnapshot(context: Context, session: LoadedSession): Promise<QuotaSnapshot> {
  const holder = quotaHolder(session)
  return (await readSnapshots(context, [holder]))(holder)
}

export function quotaHolder(session: LoadedSession): QuotaHolder {
  const { token, organization } = limitOwner(session)
  const { credential } = session.record
  const holder = { token, organization, person: personOf(session), grant: session.grant.id }
  if (credential.method === 'api_key') return holder
  const { staleAtMs, expiresAtMs } = credential.tokens
  return { ...holder, tokens: { staleAtMs, expiresAtMs } }
}

/**
 * At one instant. A value that several of them need is read once.
 * @returns a function that composes one holder's snapshot, or throws the error that prevented its read
 */
export async function readSnapshots(
  context: Context,
  holders: readonly QuotaHolder[],
): Promise<(holder: QuotaHolder) => QuotaSnapshot> {
  // Read the version first: everything read after it includes that change.
  const [version, epoch] = await Promise.all([context.store.readVersion(), context.store.readEpoch()])
  const assumed = await readAssumptions(context)
  const nowMs = serviceNowMs(context)
  const [own, sharedOf] = await Promise.all([
    readOwn(context, holders),
    readAllShared(context, holders, { nowMs, assumed }),
  ])
  return (holder) => {
    const limits = limitsAt(nowMs, own.limitNotes(holder), own.inFlight(holder))
    const values = { version, epoch, nowMs, limits, refresh: own.refreshNote(holder), assumed }
    return compose(context, holder, values, sharedOf(holder.organization))
  }
}

async function readOwn(context: Context, holders: readonly QuotaHolder[]) {
  const tokens = [...new Set(holders.map(({ token }) => token))]
  const names = [
    ...new Set(holders.flatMap((holder) => [...limitNoteNames(holder), refreshName({ id: holder.grant })])),
  ]
  const [stored, inFlight] = await Promise.all([
    context.store.readNotes(names),
    countInFlight(context, tokens),
  ])
  const notes = new Map(names.map((name, nth) => [name, stored[nth]]))
  const counts = new Map(tokens.map((token, nth) => [token, inFlight[nth]]))
  const noteOf = (name: string) => notes.get(name)
  return {
    limitNotes: (holder: QuotaHolder) => parseLimitNotes(limitNoteNames(holder).map(noteOf)),
    refreshNote: ({ grant, token }: QuotaHolder) =>
      parseRefreshNote(noteOf(refreshName({ id: grant })), token),
    inFlight: ({ token }: QuotaHolder) => counts.get(token) ?? 0,
  }
}

/** @returns a function that gives an organization's part, or throws the error that prevented its read */
async function readAllShared(
  context: Context,
  holders: readonly QuotaHolder[],
  at: Moment,
): Promise<(organization: string) => Shared> {
  const organizations = [...new Set(holders.map(({ organization }) => organization))]
  const read = await Promise.allSettled(
    organizations.map((organization) => readShared(context, organization, at)),
  )
  const known = new Map(organizations.map((organization, nth) => [organization, read[nth]]))
  return (organization) => {
    const shared = known.get(organization)
    if (shared?.status !== 'fulfilled') throw shared?.reason
    return shared.value
  }
}

async function readShared(
  context: Context,
  organization: string,
  { nowMs, assumed }: Moment,
): Promise<Shared> {
  const [month, { entries: recent }] = await Promise.all([
    readMonth(context, organization, nowMs, assumed),
    readRecent(context, organization),
  ])
  return { month, recent }
}

function compose(
  context: Context,
  holder: QuotaHolder,
  { version, epoch, nowMs, limits: { windows, pauses }, refresh: note, assumed }: HolderValues,
  shared: Shared,
): QuotaSnapshot {
  const prices = pricesOf(context, holder, note, assumed)
  const recent = recentOnWire(shared.recent, holder.person, nowMs)
  const measurement = measureMonth(shared)
  if (measurement !== undefined) context.measure(measurement)
  const known = { version, ...(epoch && { epoch }), token: holder.token }
  return { ...known, ...prices, ...windows, pauses, recent, month: shared.month }
}

function pricesOf(
  { now }: Context,
  { tokens }: QuotaHolder,
  note: RefreshNote,
  { counts_in_month: counts }: Assumptions,
): PriceFacts {
  return {
    ...(tokens && { refresh: refreshOf(now(), tokens, note, counts['token.refresh']) }),
    sign_in_counts: ifKnown(counts['token.code']),
    check_counts: ifKnown(counts.rate_limit),
  }
}

/** Tells when a press first refreshes the token (5.4), and if that counts. */
function refreshOf(
  nowMs: number,
  tokens: NonNullable<QuotaHolder['tokens']>,
  note: RefreshNote,
  counts: Counts,
): RefreshSnapshot {
  const need = needOf(note, tokens, nowMs)
  // After a failure a good token is used until the next try, or its end.
  const retryAtMs = nowMs + retryInMsOf(nowMs, note)
  const dueAtMs = Math.max(tokens.staleAtMs, Math.min(retryAtMs, tokens.expiresAtMs))
  return { due_in_ms: need === 'now' ? 0 : Math.max(0, Math.ceil(dueAtMs - nowMs)), counts }
}

export interface LimitSnapshot {
  windows: Record<RequestClass, WindowSnapshot>
  pauses: Pause[]
}

/** Delays in milliseconds. @param nowMs the service's time */
export function limitsAt(
  nowMs: number,
  { token: { gauges, pauses }, organization: { monthPause } }: LimitNotes,
  inFlight: number,
): LimitSnapshot {
  return {
    windows: {
      read: { ...windowAt(gauges.read, nowMs), in_flight: inFlight },
      update: { ...windowAt(gauges.update, nowMs), in_flight: 0 },
    },
    pauses: [
      ...pauseAt(nowMs, pauses.read, 'read'),
      ...pauseAt(nowMs, pauses.update, 'update'),
      ...pauseAt(nowMs, monthPause),
    ],
  }
}

function pauseAt(nowMs: number, pause: StoredPause | undefined, requestClass?: RequestClass): Pause[] {
  const leftMs = pauseLeftMs(pause, nowMs)
  if (pause === undefined || leftMs === 0) return []
  return [
    {
      code: pause.code,
      ...(requestClass && { class: requestClass }),
      ends_in_ms: Math.ceil(leftMs),
      reasons: pause.reasons,
    },
  ]
}
