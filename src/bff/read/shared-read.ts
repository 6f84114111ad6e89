/** One read for all who ask for the same at the same time or just after, in any process: a lease while it runs, and a note of its end. */
import { number, onlyMembers } from '../../contract/json.ts'
import { isStoreFailure, Problem, type ProblemCode, readProblemCode } from '../../contract/problem.ts'
import { type Reason, readReasons } from '../../contract/reason.ts'
import { briefly } from '../core/deferred-writes.ts'
import type { Context } from '../core/context.ts'
import { type HeldLease, holdLease } from '../core/lease.ts'
import { changeNote, type NoteKind, readNote } from '../core/note.ts'
import type { ReadResult } from './service-read.ts'

/** How a read ended that sent something. */
interface Outcome {
  /** Of the lease under which it was read. */
  fence: number
  atMs: number
  /** Why there is no copy of its answer. */
  problem?: { code: ProblemCode; reasons: readonly Reason[]; untilMs?: number }
}

const OUTCOME: NoteKind<Outcome> = {
  format: 1,
  mayBeLost: true,
  read: onlyMembers(
    { fence: number, atMs: number },
    {
      problem: onlyMembers({ code: readProblemCode, reasons: readReasons }, { untilMs: number }),
    },
  ),
}
const NOTE_LIFETIME_MS = 60_000
const POLL_MS = 50
/** To look at the note costs less than to try to take the lease. */
const POLLS_FOR_A_TRY = 4

export interface OwnRead {
  /** What is stored of it may not all be `written` yet. */
  read: ReadResult
  /** Whether the session has the copy of a success, once it is decided. */
  stored: Promise<boolean>
  /** As long as the answer waits for what is stored of it. */
  moment: Promise<void>
}

/**
 * Reads, unless the same read is running, or has sent something and ended just now: then its end is that of this one, too.
 * Where the store fails, it reads.
 * @param name of the session and the path
 * @returns what was read; or of another one its Problem, `undefined` where the session has its copy
 */
export async function shareRead(
  context: Context,
  name: string,
  read: () => Promise<OwnRead>,
): Promise<ReadResult | { others: Problem | undefined }> {
  let lease: HeldLease | Outcome
  try {
    lease = await takeLease(context, name)
  } catch (error) {
    if (!isStoreFailure(error)) throw error
    return whenWritten(context, await read())
  }
  return 'release' in lease ? readWith(context, name, lease, read) : { others: problemOf(context, lease) }
}

/** @returns the lease; or how the read of another one ended */
async function takeLease(context: Context, name: string): Promise<HeldLease | Outcome> {
  let before: Outcome | undefined
  for (let poll = 0; ; poll += 1) {
    const lease = poll % POLLS_FOR_A_TRY === 0 ? await holdLease(context, name) : undefined
    const outcome = await orRelease(context, lease, readNote(context, OUTCOME, name))
    const isNew = poll > 0 && outcome?.fence !== before?.fence
    if (outcome !== undefined && (isNew || isRecent(context, outcome))) {
      await lease?.release()
      return outcome
    }
    if (lease !== undefined) return lease
    before = outcome
    await context.wait(POLL_MS)
  }
}

const isRecent = ({ now, sharedForMs }: Context, { atMs }: Outcome): boolean =>
  Math.abs(now() - atMs) < sharedForMs

function problemOf({ now }: Context, { problem }: Outcome): Problem | undefined {
  if (problem === undefined) return undefined
  const { code, reasons, untilMs } = problem
  return new Problem(code, {
    reasons,
    retryInMs: untilMs === undefined ? undefined : Math.max(0, untilMs - now()),
  })
}

/** Reads while it has the lease. The answer does not wait for long for those who share it. */
async function readWith(
  context: Context,
  name: string,
  lease: HeldLease,
  read: () => Promise<OwnRead>,
): Promise<ReadResult> {
  const own = await orRelease(context, lease, read())
  // Beside each other: what is left to write shares a commit.
  return whenWritten(context, own, endWith(context, name, lease, own))
}

/** The read, when all is written that it leaves, or its moment is over. */
async function whenWritten(
  context: Context,
  { read, moment }: OwnRead,
  end?: Promise<void>,
): Promise<ReadResult> {
  await briefly(context, Promise.all([read.written, end]), moment)
  return read
}

/** Gives a lease back, which would be renewed without end, where the work that it is held for fails. @throws what that throws */
async function orRelease<T>(context: Context, lease: HeldLease | undefined, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (lease !== undefined) await briefly(context, lease.release())
    throw error
  }
}

/** Gives the lease back, with a note of how the read ended. */
async function endWith(context: Context, name: string, lease: HeldLease, own: OwnRead): Promise<void> {
  const { result, spent } = own.read
  const isStored = await orRelease(context, lease, own.stored)
  // What sent nothing costs nothing to ask again; a success without a copy cannot be shared.
  if (spent === 0 || !(isStored || result instanceof Problem)) return lease.release()
  const atMs = context.now()
  const outcome = outcomeOf(result, lease.fence, atMs)
  return lease.release((release) =>
    changeNote(context, OUTCOME, name, () => outcome, atMs + NOTE_LIFETIME_MS, { release }),
  )
}

function outcomeOf(result: ReadResult['result'], fence: number, atMs: number): Outcome {
  if (!(result instanceof Problem)) return { fence, atMs }
  const { code, reasons, retryInMs } = result
  return {
    fence,
    atMs,
    problem: { code, reasons, ...(retryInMs === undefined ? {} : { untilMs: atMs + retryInMs }) },
  }
}
