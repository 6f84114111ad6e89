/** Pauses the token endpoint for all sessions, which share the application (8: its limits are not shown). */
import { timeLeftMs } from '../../contract/clock.ts'
import { MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import { Problem } from '../../contract/problem.ts'
import type { Within } from '../core/context.ts'
import { changeNote, type NoteKind, readNote } from '../core/note.ts'
import { randomInt } from 'node:crypto'

interface TokenPause {
  /** UNIX milliseconds. */
  untilMs: number
  code: 'limit_unknown' | 'upstream_failed'
  /** In a row, over all sessions. */
  failures: number
}

const NAME = 'token endpoint'
const NOTE: NoteKind<TokenPause> = { format: 2 }
/** After this many failures the cause is the endpoint, and not one session. */
const MANY_FAILURES = 3
/** Failures are forgotten after this long. */
const LIFETIME_MS = 10 * MINUTE_MS

/**
 * A limit stops every request. Failures stop refreshes but not sign-ins, which have no earlier token to use.
 * @throws Problem `refresh_failed` for a refresh, `limit_unknown` for a code, during a pause: nothing is sent
 */
export async function assertNoTokenPause(
  context: Within,
  kind: 'token.code' | 'token.refresh',
): Promise<void> {
  const pause = await readNote(context, NOTE, NAME)
  if (pause === undefined || (kind === 'token.code' && pause.code !== 'limit_unknown')) return
  const retryInMs = timeLeftMs(pause.untilMs, context.now(), LONGEST_BACK_OFF_MS)
  if (retryInMs === 0) return
  const cause = new Problem(pause.code, { retryInMs })
  throw kind === 'token.code' ? cause : new Problem('refresh_failed', { retryInMs, cause })
}

/**
 * A 429 starts a pause at once, other failures only after several in a row. No later failure shortens it. An
 * answer about the code or the grant ends it, as tokens do.
 * @param problem absent if tokens came
 * @returns the milliseconds to wait; `undefined` if no pause follows
 */
export async function noteTokenOutcome(
  context: Within,
  problem: Pick<Problem, 'code' | 'retryInMs'> | undefined,
): Promise<number | undefined> {
  if (problem === undefined || problem.code === 'code_rejected' || problem.code === 'access_withdrawn') {
    // A read avoids the write if there is nothing to forget.
    if ((await readNote(context, NOTE, NAME)) !== undefined)
      await changeNote(context, NOTE, NAME, () => undefined, context.now())
    return undefined
  }
  const nowMs = context.now()
  const isLimit = problem.code === 'limit_unknown'
  let waitMs: number | undefined
  const count = (known: TokenPause | undefined): TokenPause => {
    const failures = (known?.failures ?? 0) + 1
    const severity = isLimit ? failures : failures - MANY_FAILURES + 1
    waitMs = severity < 1 ? undefined : backOffMs(severity, problem.retryInMs)
    const leftMs = timeLeftMs(known?.untilMs ?? 0, nowMs, LONGEST_BACK_OFF_MS)
    if (known !== undefined && (waitMs ?? 0) <= leftMs) return { ...known, failures }
    return { untilMs: nowMs + (waitMs ?? 0), code: isLimit ? 'limit_unknown' : 'upstream_failed', failures }
  }
  await changeNote(context, NOTE, NAME, count, nowMs + LIFETIME_MS)
  return waitMs
}

/** Whatever the service asks for: a session is usable again this soon after it recovers. */
export const LONGEST_BACK_OFF_MS = 30 * SECOND_MS
const SHORTEST_MS = SECOND_MS

/**
 * A random time between a second and a bound that doubles with each failure (2 s, 4 s, ...), so that sessions
 * that failed together do not come back together.
 * @param failures in a row, including this one
 * @param askedMs the wait that the service asked for (`Retry-After`)
 * @returns milliseconds, 1000 to 30000
 */
export function backOffMs(failures: number, askedMs = 0): number {
  const bound = Math.min(LONGEST_BACK_OFF_MS, SHORTEST_MS * 2 ** failures)
  return Math.min(LONGEST_BACK_OFF_MS, Math.max(askedMs, randomInt(SHORTEST_MS, bound)))
}
