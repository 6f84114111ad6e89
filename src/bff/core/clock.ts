/** This process's belief about the service's clock, and the note by which processes share corrections. */
import {
  CLOCK_JUMP_MS,
  type ClockOffset,
  observeClock,
  offsetToBelieve,
  serviceTimeMs,
} from '../../contract/clock.ts'
import { type ClockCorrection, type SharedClock, withCorrection } from '../../contract/clock-correction.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import type { Store } from '../../store/store.ts'
import { bestEffort, type Context, inBackground, type Memory, serviceNowMs } from './context.ts'
import { changeNote, type NoteKind, parseNote } from './note.ts'

const CLOCK_NOTE: NoteKind<SharedClock> = { format: 1 }
/** The newest `Date` of a good answer that agreed, UNIX milliseconds. It never goes back. */
const NEWEST_DATE: NoteKind<number> = { format: 1 }
/** Rows that a clock recorded years ahead must be known until then. */
const LIFETIME_MS = 4000 * DAY_MS
/** The stored time of the newest agreement may be this old. */
const REFRESHED_EVERY_MS = 10 * MINUTE_MS

/** The name of the note and of its topic. */
export const clockNoteName = ({ config }: Pick<Context, 'config'>): `service ${string}` =>
  `service clock ${config.serviceUrl}`

const newestDateName = (serviceUrl: string) => `newest date ${serviceUrl}`

/** Bounds what may be removed for good, since our own clock may be ahead; 0 before the first good answer. */
export async function readNewestDate(store: Pick<Store, 'readNotes'>, serviceUrl: string): Promise<number> {
  const [note] = await store.readNotes([newestDateName(serviceUrl)])
  return parseNote(NEWEST_DATE, note) ?? 0
}

export const correctionsOf = ({ sharedClock }: Memory): readonly ClockCorrection[] =>
  sharedClock?.corrections ?? []

/** Takes over what another process has found out. @param note as the store has it */
export function followClock(context: Context, note: unknown): void {
  const { memory } = context
  memory.sharedClock = parseNote(CLOCK_NOTE, note)
  const agreed = memory.sharedClock?.agreed
  if (agreed === undefined || (memory.agreedAtMs ?? 0) > agreed.atMs) return
  const next = offsetToBelieve(memory.clock, agreed, context.now())
  if (next === memory.clock) return
  const correction = correctionTo(context, next)
  believe(memory, next)
  if (correction !== undefined)
    share(context, (known) => ({
      ...known,
      corrections: withCorrection(known.corrections, correction),
    }))
}

/** The answer to a recorded request. */
export interface DatedAnswer {
  /** UNIX seconds, by the answer. */
  servedAtSeconds: number
  sentAtMs: number
  /** The time of its row in the ledger. */
  recordedAtMs: number
  isGood: boolean
}

/** Learns from the `Date` of an answer. @returns the service's time of the answer, UNIX seconds */
export function observeDate(context: Context, answer: DatedAnswer): number {
  const { memory } = context
  const rivals = [memory.rivalClock, memory.sharedClock?.rival?.offset].filter((one) => one !== undefined)
  const { finding, offset: found } = observeClock(memory.clock, rivals, {
    ...answer,
    receivedAtMs: context.now(),
  })
  if (finding === 'contradicted') contradict(context, found, answer.recordedAtMs)
  else if (finding === 'corrected') correct(context, found, answer.recordedAtMs)
  else {
    memory.clock = found
    if (finding === 'agreed') agree(context)
  }
  if (finding === 'agreed' || finding === 'corrected') noteDate(context, answer.servedAtSeconds * SECOND_MS)
  const estimateMs = serviceNowMs(context)
  return Math.abs(estimateMs - answer.servedAtSeconds * SECOND_MS) > CLOCK_JUMP_MS
    ? Math.floor(estimateMs / SECOND_MS)
    : answer.servedAtSeconds
}

function agree(context: Context): void {
  const { memory } = context
  const nowMs = serviceNowMs(context)
  believe(memory, memory.clock)
  memory.agreedAtMs = nowMs
  const { agreed, rival } = memory.sharedClock ?? {}
  const isOld = agreed !== undefined && Math.abs(nowMs - agreed.atMs) > REFRESHED_EVERY_MS
  if (rival === undefined && !isOld) return
  share(context, (known) => ({
    corrections: known.corrections,
    ...(known.agreed && { agreed: { ...known.agreed, atMs: nowMs } }),
  }))
}

/** In the background, and not at every answer. */
function noteDate(context: Context, dateMs: number): void {
  const { memory, config } = context
  if (dateMs - (memory.notedDateMs ?? 0) < REFRESHED_EVERY_MS) return
  memory.notedDateMs = dateMs
  const name = newestDateName(config.serviceUrl)
  const newest = (known = 0) => Math.max(known, dateMs)
  const written = changeNote(context, NEWEST_DATE, name, newest, dateMs + LIFETIME_MS)
  void inBackground(memory, bestEffort(written))
}

function contradict(context: Context, rival: ClockOffset | undefined, recordedAtMs: number): void {
  const { memory } = context
  if (rival === undefined) return
  memory.rivalClock = rival
  const sinceMs = Math.min(memory.unagreedSinceMs ?? recordedAtMs, recordedAtMs)
  share(context, (known) => ({ ...known, rival: { offset: rival, sinceMs } }))
}

function correct(context: Context, next: ClockOffset | undefined, recordedAtMs: number): void {
  const { memory } = context
  if (next === undefined) return
  memory.unagreedSinceMs = Math.min(memory.unagreedSinceMs ?? recordedAtMs, recordedAtMs)
  const correction = correctionTo(context, next)
  believe(memory, next)
  const atMs = serviceNowMs(context)
  memory.agreedAtMs = atMs
  share(context, ({ corrections }) => ({
    agreed: { offset: next, atMs },
    corrections: correction === undefined ? corrections : withCorrection(corrections, correction),
  }))
}

/** The correction of the rows that no agreeing answer followed; `undefined` if there are none. */
function correctionTo(context: Context, next: ClockOffset | undefined): ClockCorrection | undefined {
  const { unagreedSinceMs, clock, sharedClock } = context.memory
  if (unagreedSinceMs === undefined) return undefined
  const toMs = serviceNowMs(context)
  const byMs = serviceTimeMs(next, context.now()) - serviceTimeMs(clock, context.now())
  // A process with the same wrong clock, such as this one before a restart, has recorded the first one.
  const before = sharedClock?.rival?.sinceMs ?? Infinity
  const isSameClock = before <= toMs && before > toMs - DAY_MS
  return { fromMs: isSameClock ? Math.min(before, unagreedSinceMs) : unagreedSinceMs, toMs, byMs }
}

function believe(memory: Memory, next: ClockOffset | undefined): void {
  memory.clock = next
  memory.rivalClock = undefined
  memory.unagreedSinceMs = undefined
}

/** Here at once, for the others as soon as the store can. */
function share(context: Context, change: (known: SharedClock) => SharedClock): void {
  const { memory } = context
  const changed = (known: SharedClock | undefined) => change(known ?? { corrections: [] })
  memory.sharedClock = changed(memory.sharedClock)
  const written = changeNote(
    context,
    CLOCK_NOTE,
    clockNoteName(context),
    changed,
    context.now() + LIFETIME_MS,
  )
  void inBackground(memory, bestEffort(written))
}
