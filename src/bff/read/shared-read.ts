/** Shares a read among all processes that ask while it runs or just after: by a lease, then a note. */
import { MINUTE_MS } from '../../contract/duration.ts'
import { number, onlyMembers } from '../../contract/json.ts'
import { isStoreFailure, Problem, type ProblemCode, readProblemCode } from '../../contract/problem.ts'
import { type Reason, readReasons } from '../../contract/reason.ts'
import { briefly } from '../core/deferred-writes.ts'
import type { Context } from '../core/context.ts'
import { type HeldLease, holdLease } from '../core/lease.ts'
import { changeNote, type NoteKind, readNote } from '../core/note.ts'
import type { ReadResult } from './service-read.ts'

/** The read sent a request. */
interface ReadEnd {
  /** The fencing number of the reader's lease. */
  fence: number
  atMs: number
  /** The reason why there is no copy. */
  problem?: { code: ProblemCode; reasons: readonly Reason[]; untilMs?: number }
}

const READ_END: NoteKind<ReadEnd> = {
  format: 1,
  read: onlyMembers(
    { fence: number, atMs: number },
    {
      problem: onlyMembers({ code: readProblemCode, reasons: readReasons }, { untilMs: number }),
    },
  ),
}
const NOTE_LIFETIME_MS = MINUTE_MS
const POLL_MS = 50
/** A look at the note is cheaper than a try to take the lease, so one poll of this many tries it. */
const POLLS_FOR_A_TRY = 4

export interface OwnRead {
  /** Its reports may not be `written` yet. */
  read: ReadResult
  /** True if the session has the copy of a success. */
  stored: Promise<boolean>
  /** Resolves when the answer stops waiting for its writes. */
  moment: Promise<void>
}

/**
 * Reads, unless the same read is running or has just ended after sending a request: then this read ends in
 * the same way. If the store fails, it reads.
 * @param name names the session and the path
 * @returns the result; or `others`, the Problem of the shared read, `undefined` if the session has its copy
 */
export async function shareRead(
  context: Context,
  name: string,
  read: () => Promise<OwnRead>,
): Promise<ReadResult | { others: Problem | undefined }> {
  let lease: HeldLease | ReadEnd
  try {
    lease = await takeLease(context, name)
  } catch (error) {
    if (!isStoreFailure(error)) throw error
    return whenWritten(context, await read())
  }
  return 'release' in lease ? readWith(context, name, lease, read) : { others: problemOf(context, lease) }
}

/** @returns the lease, or the end of another process's read */
async function takeLease(context: Context, name: string): Promise<HeldLease | ReadEnd> {
  let before: ReadEnd | undefined
  for (let poll = 0; ; poll += 1) {
    const lease = poll % POLLS_FOR_A_TRY === 0 ? await holdLease(context, name) : undefined
    const end = await orRelease(context, lease, readNote(context, READ_END, name))
    const isNew = poll > 0 && end?.fence !== before?.fence
    if (end !== undefined && (isNew || isRecent(context, end))) {
      await lease?.release()
      return end
    }
    if (lease !== undefined) return lease
    before = end
    await context.wait(POLL_MS)
  }
}

const isRecent = ({ now, sharedForMs }: Context, { atMs }: ReadEnd): boolean =>
  Math.abs(now() - atMs) < sharedForMs

function problemOf({ now }: Context, { problem }: ReadEnd): Problem | undefined {
  if (problem === undefined) return undefined
  const { code, reasons, untilMs } = problem
  return new Problem(code, {
    reasons,
    retryInMs: untilMs === undefined ? undefined : Math.max(0, untilMs - now()),
  })
}

/** The answer waits only a moment for the writes that share it. */
async function readWith(
  context: Context,
  name: string,
  lease: HeldLease,
  read: () => Promise<OwnRead>,
): Promise<ReadResult> {
  const own = await orRelease(context, lease, read())
  // Both writes run at the same time, so that they share a commit.
  return whenWritten(context, own, endWith(context, name, lease, own))
}

/** Resolves when all writes are done or the moment is over. */
async function whenWritten(
  context: Context,
  { read, moment }: OwnRead,
  end?: Promise<void>,
): Promise<ReadResult> {
  await briefly(context, Promise.all([read.written, end]), moment)
  return read
}

/** Gives the lease back if the work fails; else it would be renewed for ever. @throws the work's error */
async function orRelease<T>(context: Context, lease: HeldLease | undefined, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (lease !== undefined) await briefly(context, lease.release())
    throw error
  }
}

async function endWith(context: Context, name: string, lease: HeldLease, own: OwnRead): Promise<void> {
  const { result, spent } = own.read
  const isStored = await orRelease(context, lease, own.stored)
  // A read that sent nothing is free to repeat, and a success without a copy cannot be shared.
  if (spent === 0 || !(isStored || result instanceof Problem)) return lease.release()
  const atMs = context.now()
  const end = readEnd(result, lease.fence, atMs)
  return lease.release((release) =>
    changeNote(context, READ_END, name, () => end, atMs + NOTE_LIFETIME_MS, { release }),
  )
}

function readEnd(result: ReadResult['result'], fence: number, atMs: number): ReadEnd {
  if (!(result instanceof Problem)) return { fence, atMs }
  const { code, reasons, retryInMs } = result
  return {
    fence,
    atMs,
    problem: { code, reasons, ...(retryInMs === undefined ? {} : { untilMs: atMs + retryInMs }) },
  }
}
