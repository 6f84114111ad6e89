/** What all processes know of the refresh of one session: the one that runs, and why the ones before it failed. */
import { flag, number, oneOf, onlyMembers, text } from '../../contract/json.ts'
import { Problem } from '../../contract/problem.ts'
import { backOffMs } from './back-off.ts'
import type { Context } from '../core/context.ts'
import { changeNote, type NoteKind, parseNote, readNote } from '../core/note.ts'

export interface RefreshNote {
  /** The name of the access token to be replaced; about any other one the note states nothing. */
  token: string
  /** Whether the service has refused that access token. */
  isRefused: boolean
  /** Of the refresh whose request may have been sent and whose outcome is not known yet. */
  mark?: { fence: number; startedAtMs: number }
  /** How many failed in a row. */
  failures: number
  /** Nothing is sent until then, UNIX milliseconds. */
  retryAtMs: number
  /** What the last failure is for the person. */
  code: (typeof CODES)[number]
  /** Since when every refresh was answered with what is neither tokens nor `invalid_grant`. */
  unexplainedSinceMs?: number
}

const CODES = ['refresh_failed', 'client_rejected', 'access_withdrawn'] as const
const NOTE: NoteKind<RefreshNote> = {
  format: 1,
  read: onlyMembers(
    { token: text, isRefused: flag, failures: number, retryAtMs: number, code: oneOf(CODES) },
    { mark: onlyMembers({ fence: number, startedAtMs: number }, {}), unexplainedSinceMs: number },
  ),
}
/** An access token is over before. */
const LAPSES_MS = 86_400_000
/** After this long a person is offered to sign in again: a grant may have ended without the word for it (7: not shown). */
const UNEXPLAINED_MS = 3_600_000

/** The name of a session's note and of its lease. */
export const refreshName = ({ id }: { id: string }): string => `refresh ${id}`

const about = (token: string, known: RefreshNote | undefined): RefreshNote =>
  known?.token === token
    ? known
    : { token, isRefused: false, failures: 0, retryAtMs: 0, code: 'refresh_failed' }

export const readRefreshNote = async (
  context: Context,
  session: { id: string },
  token: string,
): Promise<RefreshNote> => about(token, await readNote(context, NOTE, refreshName(session)))

/** What a note of that name states about a token. */
export const refreshNoteOf = (note: unknown, token: string): RefreshNote =>
  about(token, parseNote(NOTE, note))

/**
 * @param change gets what is known of that token, and returns `undefined` to remove the note, or the same to leave what is stored,
 *   which may be of another token
 */
export async function changeRefreshNote(
  context: Context,
  session: { id: string },
  token: string,
  change: (known: RefreshNote) => RefreshNote | undefined,
): Promise<void> {
  const lapsesAtMs = context.now() + LAPSES_MS
  const changeStored = (stored: RefreshNote | undefined) => {
    const known = about(token, stored)
    const changed = change(known)
    return changed === known ? stored : changed
  }
  await changeNote(context, NOTE, refreshName(session), changeStored, lapsesAtMs)
}

/** The note after one more failure. */
export function withFailure(context: Context, known: RefreshNote, problem: Problem): RefreshNote {
  const { mark: _, unexplainedSinceMs = context.now(), ...rest } = known
  const failures = known.failures + 1
  return {
    ...rest,
    failures,
    retryAtMs: context.now() + backOffMs(failures, problem.retryInMs),
    code: problem.code === 'client_rejected' ? 'client_rejected' : 'refresh_failed',
    ...(problem.code === 'unexpected_reply' && { unexplainedSinceMs }),
  }
}

/**
 * What a failed refresh is for the person: `client_rejected`, `refresh_failed`, or, when for an hour no answer made sense,
 * `credential_refused`. The session stays with each of them.
 */
export function refreshProblem(
  context: Context,
  { code, retryAtMs, unexplainedSinceMs = Infinity }: RefreshNote,
  cause?: unknown,
): Problem {
  const isUnexplained = context.now() - unexplainedSinceMs >= UNEXPLAINED_MS
  const retryInMs = Math.max(0, retryAtMs - context.now())
  return new Problem(isUnexplained ? 'credential_refused' : code, { retryInMs, cause })
}

/** @throws Problem while nothing may be sent */
export function assertNoBackOff(context: Context, note: RefreshNote): void {
  if (note.retryAtMs > context.now()) throw refreshProblem(context, note)
}
