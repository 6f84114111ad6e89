/** The state of a refresh for all processes: if one is needed or running, and why the last ones failed. */
import { timeLeftMs } from '../../contract/clock.ts'
import { DAY_MS, HOUR_MS } from '../../contract/duration.ts'
import { Problem } from '../../contract/problem.ts'
import type { Context, Tokens, Within } from '../core/context.ts'
import { changeNote, type Lease, type NoteKind, parseNote, readNote } from '../core/note.ts'
import { type Grant, type OAuthCredential, readCredential, tokenOf } from '../session/grant.ts'
import { type LoadedSession, type SessionRecord } from '../session/record.ts'
import { backOffMs, LONGEST_BACK_OFF_MS } from './pause.ts'

export interface RefreshNote {
  /** The name of the access token to replace. The note says nothing about any other token. */
  token: string
  /** The service has refused that access token. */
  isRefused: boolean
  /** A refresh whose request may have been sent and whose outcome is not known yet. */
  lease?: Lease
  /** In a row. */
  failures: number
  /** Nothing is sent until then, UNIX milliseconds. */
  retryAtMs: number
  /** The person's problem after the last failure. */
  code: 'refresh_failed' | 'client_rejected' | 'access_withdrawn'
  /** Since then no refresh was answered with tokens or `invalid_grant`, UNIX milliseconds. */
  unexplainedSinceMs?: number
}

const NOTE: NoteKind<RefreshNote> = { format: 1 }
/** Longer than the life of an access token. */
const LIFETIME_MS = DAY_MS
/** Then a person may sign in again: a grant may have ended without an answer that says so (7: not shown). */
const UNEXPLAINED_MS = HOUR_MS

export const refreshName = ({ id }: { id: string }): string => `refresh ${id}`

const noteAbout = (token: string, stored: RefreshNote | undefined): RefreshNote =>
  stored?.token === token
    ? stored
    : { token, isRefused: false, failures: 0, retryAtMs: 0, code: 'refresh_failed' }

export const readRefreshNote = async (
  context: Within,
  grant: { id: string },
  token: string,
): Promise<RefreshNote> => noteAbout(token, await readNote(context, NOTE, refreshName(grant)))

export const parseRefreshNote = (stored: unknown, token: string): RefreshNote =>
  noteAbout(token, parseNote(NOTE, stored))

/**
 * @param change returns the new note, `undefined` to remove it, or its argument to leave the stored note,
 *   which may be about another token
 */
export async function changeRefreshNote(
  context: Within,
  grant: { id: string },
  token: string,
  change: (note: RefreshNote) => RefreshNote | undefined,
): Promise<void> {
  const lapsesAtMs = context.now() + LIFETIME_MS
  const changeStored = (stored: RefreshNote | undefined) => {
    const note = noteAbout(token, stored)
    const changed = change(note)
    return changed === note ? stored : changed
  }
  await changeNote(context, NOTE, refreshName(grant), changeStored, lapsesAtMs)
}

export function withFailure(context: Pick<Context, 'now'>, note: RefreshNote, problem: Problem): RefreshNote {
  const { lease: _, unexplainedSinceMs = Infinity, ...rest } = note
  const failures = note.failures + 1
  return {
    ...rest,
    failures,
    retryAtMs: context.now() + backOffMs(failures, problem.retryInMs),
    code: problem.code === 'client_rejected' ? 'client_rejected' : 'refresh_failed',
    ...(problem.code === 'unexpected_reply' && {
      unexplainedSinceMs: Math.min(unexplainedSinceMs, context.now()),
    }),
  }
}

export const retryInMsOf = (nowMs: number, { retryAtMs }: Pick<RefreshNote, 'retryAtMs'>): number =>
  timeLeftMs(retryAtMs, nowMs, LONGEST_BACK_OFF_MS)

/**
 * The problem is `client_rejected`, `refresh_failed`, or, when no answer made sense for an hour,
 * `credential_refused`. The session stays open in each case.
 */
export function refreshProblem(context: Pick<Context, 'now'>, note: RefreshNote, cause?: unknown): Problem {
  const isUnexplained = context.now() - (note.unexplainedSinceMs ?? Infinity) >= UNEXPLAINED_MS
  const retryInMs = retryInMsOf(context.now(), note)
  return new Problem(isUnexplained ? 'credential_refused' : note.code, { retryInMs, cause })
}

/** @throws Problem while nothing may be sent */
export function assertNoBackOff(context: Pick<Context, 'now'>, note: RefreshNote): void {
  if (retryInMsOf(context.now(), note) > 0) throw refreshProblem(context, note)
}

export interface RefreshState {
  grant: Grant
  credential: OAuthCredential
  note: RefreshNote
  /** `now`: replace the access token before sending. `soon`: it should be replaced. `none`: it is good. */
  need: 'now' | 'soon' | 'none'
}

export async function stateOf(
  context: Within,
  grant: Grant,
  credential: OAuthCredential,
): Promise<RefreshState> {
  const note = await readRefreshNote(context, grant, tokenOf(credential))
  return { grant, credential, note, need: needOf(note, credential.tokens, context.now()) }
}

/** At an instant of our clock. */
export function needOf(
  note: Pick<RefreshNote, 'isRefused'>,
  { staleAtMs, expiresAtMs }: Pick<Tokens, 'staleAtMs' | 'expiresAtMs'>,
  nowMs: number,
): RefreshState['need'] {
  return note.isRefused || expiresAtMs <= nowMs ? 'now' : staleAtMs <= nowMs ? 'soon' : 'none'
}

/**
 * As the store has it now.
 * @throws Problem `signed_out` or `access_withdrawn` when the grant has ended
 */
export async function readState(
  context: Within,
  { grant, record }: Pick<LoadedSession, 'grant'> & { record: Pick<SessionRecord, 'credential'> },
): Promise<RefreshState> {
  const credential = await readCredential(context, grant)
  if (credential?.method === 'oauth') return stateOf(context, grant, credential)
  const { code } = await readRefreshNote(context, grant, tokenOf(record.credential))
  throw new Problem(code === 'access_withdrawn' ? code : 'signed_out')
}
