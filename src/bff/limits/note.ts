/** What is stored of limits: the minute of each token (8.2), and the plan and month of each organization (8.3). */
import type { Gauge, Gauges } from '../../contract/gauge.ts'
import { flag, listOf, number, oneOf, onlyMembers, type Reader, recordOf } from '../../contract/json.ts'
import { rateNote, refusalCode } from '../../contract/quota.ts'
import type { RequestClass } from '../../contract/rate-limit.ts'
import { type Reason, readReasons } from '../../contract/reason.ts'
import type { RefusalCode } from '../../contract/refusal.ts'
import type { Context } from '../core/context.ts'
import { changeNote, type NoteKind, parseNote, readNote } from '../core/note.ts'
import type { LimitOwner } from '../session/limit-owner.ts'

/** A limit that was reached: nothing is sent until its end. */
export interface StoredPause {
  code: RefusalCode
  reasons: readonly Reason[]
  /** The service's time, UNIX milliseconds. */
  untilMs: number
}

export interface TokenNote {
  gauges: Gauges
  pauses: { readonly [Class in RequestClass]?: StoredPause }
}

export interface OrganizationNote {
  /** Limits of the minute seen with any of its tokens, from which the plan is guessed. */
  limits: { readonly [Class in RequestClass]?: number }
  /** After a refusal that seems to be of the month: until the count may have been reset, what no person pressed is not sent. */
  monthPause?: StoredPause
  suspicion?: StoredSuspicion
}

/** That the month is used up, by an answer of the service: until a success, or until the count has been reset in every zone. */
export interface StoredSuspicion {
  reasons: readonly Reason[]
  /** The service's time, UNIX milliseconds: of the first refusal, and when it ends by itself. */
  sinceMs: number
  untilMs: number
}

/** Longer than every window and pause that a note can hold. */
const LIFETIME_MS = 40 * 86_400_000

/** Those of an earlier version were sentences, and are left out. */
const reasons: Reader<Reason[]> = (value) =>
  readReasons(listOf((one: unknown) => one)(value).filter((one) => typeof one !== 'string'))

const pause: Reader<StoredPause> = onlyMembers(
  {
    code: refusalCode,
    reasons,
    untilMs: number,
  },
  {},
)
const entry = onlyMembers({ remaining: number, atSeconds: number }, { others: oneOf([true]) })
const gauge: Reader<Gauge> = onlyMembers(
  { windows: recordOf(recordOf(entry)) },
  {
    limit: onlyMembers({ value: number, atSeconds: number }, {}),
    loose: entry,
    seen: onlyMembers({ atSeconds: number, assumed: flag, notes: listOf(rateNote) }, {}),
    resets: listOf(number),
    silent: listOf(number),
  },
)
const ofClasses = <T>(reader: Reader<T>) => onlyMembers({}, { read: reader, update: reader })

const TOKEN_NOTE: NoteKind<TokenNote> = {
  format: 1,
  mayBeLost: true,
  read: onlyMembers({ gauges: ofClasses(gauge), pauses: ofClasses(pause) }, {}),
}
const suspicion: Reader<StoredSuspicion> = onlyMembers({ reasons, sinceMs: number, untilMs: number }, {})
// Notes of the former version have no suspicion, and are read all the same.
const ORGANIZATION_NOTE: NoteKind<OrganizationNote> = {
  format: 1,
  read: onlyMembers({ limits: ofClasses(number) }, { monthPause: pause, suspicion }),
}

const NO_TOKEN_NOTE: TokenNote = { gauges: {}, pauses: {} }
const NO_ORGANIZATION_NOTE: OrganizationNote = { limits: {} }

/** Names of the notes of a token and its organization, for a store that reads them itself. */
export const limitNoteNames = ({
  token,
  organization,
}: Pick<LimitOwner, 'token' | 'organization'>): string[] => [`token ${token}`, `organization ${organization}`]

/** What is in the two notes, in the order of their names. */
export const parseLimitNotes = ([token, organization]: readonly unknown[]): TokenNote & OrganizationNote => ({
  ...(parseNote(TOKEN_NOTE, token) ?? NO_TOKEN_NOTE),
  ...(parseNote(ORGANIZATION_NOTE, organization) ?? NO_ORGANIZATION_NOTE),
})

/** What is known of the limits of one token. */
export async function readTokenNote(context: Context, token: string): Promise<TokenNote> {
  return (await readNote(context, TOKEN_NOTE, `token ${token}`)) ?? NO_TOKEN_NOTE
}

/** What is known of the limits of one organization. */
export async function readOrganizationNote(
  context: Context,
  organization: string,
): Promise<OrganizationNote> {
  return (await readNote(context, ORGANIZATION_NOTE, `organization ${organization}`)) ?? NO_ORGANIZATION_NOTE
}

/** Changes what is known of a token in one step. */
export const changeTokenNote = (
  context: Context,
  token: string,
  change: (known: TokenNote) => TokenNote,
  lifetimeMs = LIFETIME_MS,
): Promise<void> =>
  changeNote(
    context,
    TOKEN_NOTE,
    `token ${token}`,
    (known) => change(known ?? NO_TOKEN_NOTE),
    context.now() + lifetimeMs,
  )

/** Changes what is known of an organization in one step. */
export const changeOrganizationNote = (
  context: Context,
  organization: string,
  change: (known: OrganizationNote) => OrganizationNote,
  lifetimeMs = LIFETIME_MS,
): Promise<void> =>
  changeNote(
    context,
    ORGANIZATION_NOTE,
    `organization ${organization}`,
    (known) => change(known ?? NO_ORGANIZATION_NOTE),
    context.now() + lifetimeMs,
  )

/** The longest that a pause can be: one that seems longer was stored before the clock was set back. */
const LONGEST_PAUSE_MS: Record<RefusalCode, number> = {
  rate_limited: 70_000,
  limit_unknown: 70_000,
  month_suspected: 33 * 86_400_000,
}

/** Milliseconds until a pause ends: 0 where there is none, or it has ended. @param nowMs the service's time */
export function pauseLeftMs(pause: StoredPause | undefined, nowMs: number): number {
  if (pause === undefined) return 0
  const leftMs = Math.max(0, pause.untilMs - nowMs)
  return leftMs <= LONGEST_PAUSE_MS[pause.code] ? leftMs : 0
}

/** A suspicion that has not ended. @param nowMs the service's time */
export function suspicionAt(
  suspicion: StoredSuspicion | undefined,
  nowMs: number,
): StoredSuspicion | undefined {
  return pauseLeftMs(suspicion && { code: 'month_suspected', ...suspicion }, nowMs) > 0
    ? suspicion
    : undefined
}

/** The pause that ends later: a pause may be extended by a later answer, never shortened. */
export const laterPause = (
  a: StoredPause | undefined,
  b: StoredPause | undefined,
): StoredPause | undefined => (a === undefined || (b !== undefined && b.untilMs >= a.untilMs) ? b : a)
