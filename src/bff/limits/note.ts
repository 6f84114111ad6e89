/** The stored limits: the minute of each token (8.2), and the plan and month of each organization (8.3). */
import { DAY_MS, SECOND_MS } from '../../contract/duration.ts'
import type { Gauge, Gauges } from '../../contract/gauge.ts'
import { flag, listOf, number, oneOf, onlyMembers, type Reader, recordOf } from '../../contract/json.ts'
import { rateNote, refusalCode } from '../../contract/quota.ts'
import type { RequestClass } from '../../contract/rate-limit.ts'
import { type Reason, readReasons } from '../../contract/reason.ts'
import type { RefusalCode } from '../../contract/refusal.ts'
import type { Context } from '../core/context.ts'
import { changeNote, type NoteKind, parseNote, readNote } from '../core/note.ts'
import type { LimitOwner } from '../session/limit-owner.ts'

/** After a limit was reached, nothing is sent until the pause ends. */
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
  /** The limits of the minute seen with any of its tokens. The plan is guessed from them. */
  limits: { readonly [Class in RequestClass]?: number }
  /** A refusal looked like the monthly limit: until a possible reset only people cause requests. */
  monthPause?: StoredPause
  suspicion?: StoredSuspicion
}

/** An answer suggested a used-up month. This holds until a success or the reset in every zone. */
export interface StoredSuspicion {
  reasons: readonly Reason[]
  /** The service's time of the first refusal, UNIX milliseconds. */
  sinceMs: number
  /** Ends by itself then: the service's time, UNIX milliseconds. */
  untilMs: number
}

/** Longer than every window and pause in a note. */
const LIFETIME_MS = 40 * DAY_MS

/** An earlier version stored sentences; those are left out. */
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
  read: onlyMembers({ gauges: ofClasses(gauge), pauses: ofClasses(pause) }, {}),
}
const suspicion: Reader<StoredSuspicion> = onlyMembers({ reasons, sinceMs: number, untilMs: number }, {})
// A note of an earlier version has no suspicion.
const ORGANIZATION_NOTE: NoteKind<OrganizationNote> = {
  format: 1,
  read: onlyMembers({ limits: ofClasses(number) }, { monthPause: pause, suspicion }),
}

const NO_TOKEN_NOTE: TokenNote = { gauges: {}, pauses: {} }
const NO_ORGANIZATION_NOTE: OrganizationNote = { limits: {} }

/** For reads inside the store. */
export const limitNoteNames = ({
  token,
  organization,
}: Pick<LimitOwner, 'token' | 'organization'>): string[] => [`token ${token}`, `organization ${organization}`]

/** Gets the notes in the order of {@link limitNoteNames}. */
export const parseLimitNotes = ([token, organization]: readonly unknown[]): TokenNote & OrganizationNote => ({
  ...(parseNote(TOKEN_NOTE, token) ?? NO_TOKEN_NOTE),
  ...(parseNote(ORGANIZATION_NOTE, organization) ?? NO_ORGANIZATION_NOTE),
})

export async function readTokenNote(context: Context, token: string): Promise<TokenNote> {
  return (await readNote(context, TOKEN_NOTE, `token ${token}`)) ?? NO_TOKEN_NOTE
}

export async function readOrganizationNote(
  context: Context,
  organization: string,
): Promise<OrganizationNote> {
  return (await readNote(context, ORGANIZATION_NOTE, `organization ${organization}`)) ?? NO_ORGANIZATION_NOTE
}

export const changeTokenNote = (
  context: Context,
  token: string,
  change: (note: TokenNote) => TokenNote,
  lifetimeMs = LIFETIME_MS,
): Promise<void> =>
  changeNote(
    context,
    TOKEN_NOTE,
    `token ${token}`,
    (note) => change(note ?? NO_TOKEN_NOTE),
    context.now() + lifetimeMs,
  )

export const changeOrganizationNote = (
  context: Context,
  organization: string,
  change: (note: OrganizationNote) => OrganizationNote,
  lifetimeMs = LIFETIME_MS,
): Promise<void> =>
  changeNote(
    context,
    ORGANIZATION_NOTE,
    `organization ${organization}`,
    (note) => change(note ?? NO_ORGANIZATION_NOTE),
    context.now() + lifetimeMs,
  )

/** A pause that seems longer was stored before the clock was set back. */
const LONGEST_PAUSE_MS: Record<RefusalCode, number> = {
  rate_limited: 70 * SECOND_MS,
  limit_unknown: 70 * SECOND_MS,
  month_suspected: 33 * DAY_MS,
}

/** 0 if there is no pause or it has ended. @param nowMs the service's time */
export function pauseLeftMs(pause: StoredPause | undefined, nowMs: number): number {
  if (pause === undefined) return 0
  const leftMs = Math.max(0, pause.untilMs - nowMs)
  return leftMs <= LONGEST_PAUSE_MS[pause.code] ? leftMs : 0
}

/** `undefined` if the suspicion has ended. @param nowMs the service's time */
export function suspicionAt(
  suspicion: StoredSuspicion | undefined,
  nowMs: number,
): StoredSuspicion | undefined {
  return pauseLeftMs(suspicion && { code: 'month_suspected', ...suspicion }, nowMs) > 0
    ? suspicion
    : undefined
}

/** A later answer may extend a pause and never shortens it. */
export const laterPause = (
  a: StoredPause | undefined,
  b: StoredPause | undefined,
): StoredPause | undefined => (a === undefined || (b !== undefined && b.untilMs >= a.untilMs) ? b : a)
