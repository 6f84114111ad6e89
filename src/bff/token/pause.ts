/** When the token endpoint is left alone: all sessions share that, since they share the application (8: its limits are not shown). */
import { number, oneOf, onlyMembers } from '../../contract/json.ts'
import { Problem } from '../../contract/problem.ts'
import { backOffMs } from './back-off.ts'
import type { Context } from '../core/context.ts'
import { changeNote, type NoteKind, readNote } from '../core/note.ts'

interface TokenPause {
  /** UNIX milliseconds. */
  untilMs: number
  code: (typeof CODES)[number]
  /** Failures in a row, over all sessions. */
  failures: number
}

const CODES = ['limit_unknown', 'upstream_failed'] as const
const NAME = 'token endpoint'
const NOTE: NoteKind<TokenPause> = {
  format: 2,
  read: onlyMembers({ untilMs: number, code: oneOf(CODES), failures: number }, {}),
}
/** From this many on it is the endpoint that fails, and not one session. */
const MANY_FAILURES = 3
/** How long failures count. */
const LAPSES_MS = 600_000

/**
 * A limit stops every request, failures stop refreshes only: of a sign-in there is no earlier token to go on with.
 * @throws Problem `limit_unknown` or `upstream_failed` during a pause: the code or refresh token is not sent and stays good
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
 * Counts a failure of the endpoint. A pause follows a 429 at once, any other failure only when there were several in a row; a
 * later one never shortens it.
 * @returns the milliseconds to wait, where a pause follows
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
    nowMs + LAPSES_MS,
  )
  return waitMs
}

/** The endpoint is well: failures are counted from 0 again. */
export async function forgetTokenFailures(context: Context): Promise<void> {
  // Without a write where there is nothing to forget.
  if ((await readNote(context, NOTE, NAME)) !== undefined)
    await changeNote(context, NOTE, NAME, () => undefined, context.now())
}
