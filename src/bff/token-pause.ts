/** The pause that the token endpoint asked for, shared by all sessions, since they share the application (8: its limits are not shown). */
import { UNKNOWN_PAUSE_MS } from '../contract/answer-meaning.ts'
import { number, onlyMembers } from '../contract/json.ts'
import { Problem } from '../contract/problem.ts'
import type { Context } from './context.ts'
import { changeNote, type NoteKind, readNote } from './note.ts'

const NAME = 'token endpoint'
const NOTE: NoteKind<{ untilMs: number }> = { format: 1, read: onlyMembers({ untilMs: number }, {}) }
const SHORTEST_MS = 1000
const LONGEST_MS = 3_600_000

/** @throws Problem `limit_unknown` during the pause; the code or refresh token is not sent and stays good for later */
export async function assertNoTokenPause(context: Context): Promise<void> {
  const { untilMs = 0 } = (await readNote(context, NOTE, NAME)) ?? {}
  const retryInMs = untilMs - context.now()
  if (retryInMs > 0) throw new Problem('limit_unknown', { retryInMs })
}

/**
 * Begins a pause, or extends the present one; a later answer never shortens it.
 * @returns the milliseconds to wait for this answer: at least a second, at most an hour
 */
export async function pauseTokenEndpoint(
  context: Context,
  waitMs: number = UNKNOWN_PAUSE_MS,
): Promise<number> {
  const pauseMs = Math.min(Math.max(waitMs, SHORTEST_MS), LONGEST_MS)
  const untilMs = context.now() + pauseMs
  await changeNote(
    context,
    NOTE,
    NAME,
    (known) => ({ untilMs: Math.max(known?.untilMs ?? 0, untilMs) }),
    context.now() + LONGEST_MS,
  )
  return pauseMs
}
