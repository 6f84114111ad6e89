/** Notes: small JSON values in the store that all processes share. */
import type { Within } from './context.ts'
import { timeLeftMs } from '../../contract/clock.ts'
import { SECOND_MS } from '../../contract/duration.ts'

/** A note of another format counts as absent: raise the number when the layout changes. */
export interface NoteKind<T> {
  readonly format: number
  /** Never set: it carries the type of the value. */
  readonly value?: T
}

export async function readNote<T>(context: Within, kind: NoteKind<T>, name: string): Promise<T | undefined> {
  const [note] = await context.store.readNotes([name])
  return parseNote(kind, note)
}

/**
 * Changes a note in one atomic step.
 * @param change is pure. It gets the value as from `readNote`; its result `undefined` removes the note
 * @param lapsesAtMs UNIX milliseconds
 */
export async function changeNote<T>(
  { store }: Pick<Within, 'store'>,
  kind: NoteKind<T>,
  name: string,
  change: (value: T | undefined) => T | undefined,
  lapsesAtMs: number,
): Promise<void> {
  await store.changeNote(
    name,
    (note) => {
      const value = change(parseNote(kind, note))
      return value === undefined ? undefined : { format: kind.format, value }
    },
    lapsesAtMs,
  )
}

export function parseNote<T>({ format }: NoteKind<T>, note: unknown): T | undefined {
  const stored = note as { format: number; value: T } | undefined
  return stored?.format === format ? stored.value : undefined
}

/** When it lapses, UNIX milliseconds. */
const CLAIM: NoteKind<number> = { format: 1 }
export const parseClaim = (note: unknown): number | undefined => parseNote(CLAIM, note)

/**
 * Takes a name that nobody else can take until it lapses.
 * @param longestMs a claim that seems longer has lapsed
 * @returns whether this call took it
 */
export async function claim(
  context: Within,
  name: string,
  lapsesAtMs: number,
  longestMs = Infinity,
): Promise<boolean> {
  const nowMs = context.now()
  let isTaken = false
  const take = (untilMs = 0) => {
    isTaken = timeLeftMs(untilMs, nowMs, longestMs) === 0
    return isTaken ? lapsesAtMs : untilMs
  }
  await changeNote(context, CLAIM, name, take, lapsesAtMs)
  return isTaken
}

/** Says in the note of a piece of work who does it alone. */
export interface Lease {
  holder: string
  /** By the clock of the store, UNIX milliseconds. */
  untilMs: number
}

/** The holder has this long for what comes before and after its request. */
const MARGIN_MS = 5 * SECOND_MS

/** @param clockMs of the store @param deadlineMs of the request for which it is taken */
export const takeLease = (holder: string, clockMs: number, deadlineMs: number): Lease => ({
  holder,
  untilMs: clockMs + deadlineMs + MARGIN_MS,
})

/** @param graceMs how much longer it is respected */
export const isHeld = (lease: Lease | undefined, clockMs: number, deadlineMs: number, graceMs = 0): boolean =>
  timeLeftMs((lease?.untilMs ?? -Infinity) + graceMs, clockMs, deadlineMs + MARGIN_MS + graceMs) > 0
