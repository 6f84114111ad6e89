/** Pauses the token endpoint for all sessions, which share the application (8: its limits are not shown). */
import { MINUTE_MS } from '../../contract/duration.ts'
import { number, oneOf, onlyMembers } from '../../contract/json.ts'
import { Problem } from '../../contract/problem.ts'
import { backOffMs } from './back-off.ts'
import type { Context } from '../core/context.ts'
import { changeNote, type NoteKind, readNote } from '../core/note.ts'

interface TokenPause {
  /** UNIX milliseconds. */
  untilMs: number
  code: (typeof CODES)[number]
  /** In a row, over all sessions. */
  failures: number
}

const CODES = ['limit_unknown', 'upstream_failed'] as const
const NAME = 'token endpoint'
const NOTE: NoteKind<TokenPause> = {
  format: 2,
  read: onlyMembers({ untilMs: number, code: oneOf(CODES), failures: number }, {}),
}
/** After this many failures the cause is the endpoint, and not one session. */
const MANY_FAILURES = 3
/** Failures are forgotten after this long. */
const LIFETIME_MS = 10 * MINUTE_MS

/**
 * A limit stops every request. Failures stop refreshes but not sign-ins, which have no earlier token to use.
 * @throws Problem `limit_unknown` or `upstream_failed` during a pause: the code or refresh token is not sent
 *   and stays good
 */
export async function assertNoTokenPause(
  context: Context,
  kind: 'token.code' | 'token.refresh',
): Promise<void> {
  const pause = await readNote(context, NOTE, NAME)
  if (pause === undefined || (kind === 'token.code' && pause.code !== 'limit_unknown')) return
  const retryInMs = pause.untilMs - context.now()
  if (retryInMs > 0) throw new Problem(pause.code, { retryInMs })
}

/**
 * A 429 starts a pause at once, other failures only after several in a row. No later failure shortens it.
 * @returns the milliseconds to wait; `undefined` if no pause follows
 */
export async function countTokenFailure(
  context: Context,
  { code, retryInMs }: Pick<Problem, 'code' | 'retryInMs'>,
): Promise<number | undefined> {
  const nowMs = context.now()
  const isLimit = code === 'limit_unknown'
  let waitMs: number | undefined
  await changeNote(
    context,
    NOTE,
    NAME,
    (known): TokenPause => {
      const failures = (known?.failures ?? 0) + 1
      const severity = isLimit ? failures : failures - MANY_FAILURES + 1
      waitMs = severity < 1 ? undefined : backOffMs(severity, retryInMs)
      const untilMs = waitMs === undefined ? 0 : nowMs + waitMs
      if (known !== undefined && untilMs <= known.untilMs) return { ...known, failures }
      return { untilMs, code: isLimit ? 'limit_unknown' : 'upstream_failed', failures }
    },
    nowMs + LIFETIME_MS,
  )
  return waitMs
}

export async function forgetTokenFailures(context: Context): Promise<void> {
  // A read avoids the write if there is nothing to forget.
  if ((await readNote(context, NOTE, NAME)) !== undefined)
    await changeNote(context, NOTE, NAME, () => undefined, context.now())
}
