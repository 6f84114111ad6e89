/** The same read of a grant runs once over all processes: its lease, and how it ended, are in a note. */
import { MINUTE_MS } from '../../contract/duration.ts'
import { Problem, type ProblemCode } from '../../contract/problem.ts'
import type { Reason } from '../../contract/reason.ts'
import type { Within } from '../core/context.ts'
import { changeNote, isHeld, type Lease, type NoteKind, readNote, takeLease } from '../core/note.ts'
import { mayHaveArrived, type Press } from '../service/request.ts'
import { DEADLINE_MS } from '../service/upstream.ts'
import { type Copy, readCopy, writeCopy } from '../session/grant.ts'
import type { LoadedSession } from '../session/record.ts'

interface ReadNote {
  lease?: Lease
  end?: {
    /** The press that has read. */
    press: string
    /** By the clock of the store. */
    atMs: number
    /** The reason why there is no copy. */
    problem?: { code: ProblemCode; reasons: readonly Reason[]; untilMs?: number }
  }
}

const READ: NoteKind<ReadNote> = { format: 1 }
const LIFETIME_MS = MINUTE_MS

export interface SharedRead {
  session: LoadedSession
  path: string
  press: Press
}

/** Paired sessions share the copy too. */
const nameOf = ({ grant }: LoadedSession, path: string): string => `read ${grant.id} ${path}`

/**
 * Takes the read for this press, in the transaction that records its request.
 * @param waitedFor the press whose read this one has waited for
 * @returns `undefined`; or the press that reads, for which to wait; or how the read of another one has just
 *   ended
 * @throws Problem `signed_out`
 */
export async function takeRead(
  inside: Within,
  { session, path, press: { id } }: SharedRead,
  waitedFor: string | undefined,
): Promise<{ waitFor: string } | { ended: Problem | Copy } | undefined> {
  const name = nameOf(session, path)
  const [[version], clockMs, note = {}] = await Promise.all([
    inside.store.readSessionVersions([session.id]),
    inside.store.readClock(inside.now()),
    readNote(inside, READ, name),
  ])
  if (version === undefined) throw new Problem('signed_out')
  if (note.lease?.holder !== id) {
    const { lease } = note
    if (lease !== undefined && isHeld(lease, clockMs, DEADLINE_MS)) return { waitFor: lease.holder }
    const ended = await endOf(inside, { session, path }, note, { clockMs, waitedFor })
    if (ended !== undefined) return { ended }
  }
  const taken = { lease: takeLease(id, clockMs, DEADLINE_MS) }
  await changeNote(inside, READ, name, () => taken, inside.now() + LIFETIME_MS)
  return undefined
}

/** For a press that took the read, then waited to be admitted, and was not. */
export const leaveRead = (inside: Within, { session, path, press: { id } }: SharedRead): Promise<void> =>
  changeNote(
    inside,
    READ,
    nameOf(session, path),
    (note) => (note?.lease?.holder === id ? undefined : note),
    inside.now() + LIFETIME_MS,
  )

/** How a read has just ended, or the one that this press has waited for. */
async function endOf(
  inside: Within,
  { session, path }: Omit<SharedRead, 'press'>,
  { end }: ReadNote,
  { clockMs, waitedFor }: { clockMs: number; waitedFor: string | undefined },
): Promise<Problem | Copy | undefined> {
  if (end === undefined) return undefined
  const isRecent = Math.abs(clockMs - end.atMs) < inside.sharedForMs
  if (!isRecent && end.press !== waitedFor) return undefined
  // Reads of many other organizations may have removed the copy.
  return problemOf(inside, end) ?? readCopy(inside, session, path)
}

function problemOf({ now }: Within, { problem }: NonNullable<ReadNote['end']>): Problem | undefined {
  if (problem === undefined) return undefined
  const { code, reasons, untilMs } = problem
  const retryInMs = untilMs === undefined ? undefined : Math.max(0, untilMs - now())
  return new Problem(code, { reasons, retryInMs })
}

/**
 * Gives the read back, in the transaction that records its outcome, with the copy for all who share it. If it
 * sent nothing, anybody may repeat it at once. If another press has taken the read since, because the lease
 * had lapsed, that one has the newer answer, and nothing changes.
 * @returns whether the session is open
 */
export async function endRead(
  inside: Within,
  read: SharedRead,
  result: { text: string } | Problem,
): Promise<boolean> {
  const { session, path, press } = read
  const [[version], { lease, end } = {}] = await Promise.all([
    inside.store.readSessionVersions([session.id]),
    readNote(inside, READ, nameOf(session, path)),
  ])
  const reader = lease?.holder ?? end?.press ?? press.id
  if (reader !== press.id) return version !== undefined
  const isSent = !(result instanceof Problem) || mayHaveArrived(result)
  if (version === undefined || !isSent)
    await changeNote(inside, READ, nameOf(session, path), () => undefined, 0)
  else if (result instanceof Problem) await noteEnd(inside, read, result)
  else await Promise.all([writeCopy(inside, session, path, result.text), noteEnd(inside, read, undefined)])
  return version !== undefined
}

async function noteEnd(
  inside: Within,
  { session, path, press: { id } }: SharedRead,
  problem: Problem | undefined,
): Promise<void> {
  const nowMs = inside.now()
  const atMs = await inside.store.readClock(nowMs)
  const untilMs = problem?.retryInMs === undefined ? {} : { untilMs: nowMs + problem.retryInMs }
  const told = problem && { problem: { code: problem.code, reasons: problem.reasons, ...untilMs } }
  const end = { press: id, atMs, ...told }
  await changeNote(inside, READ, nameOf(session, path), () => ({ end }), nowMs + LIFETIME_MS)
}
