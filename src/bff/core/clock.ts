/** What this process takes for the service's clock, and the note by which all processes share it. */
import {
  CLOCK_JUMP_MS,
  observeClock,
  offsetToBelieve,
  type SharedClock,
  serviceTimeMs,
} from '../../contract/clock.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import type { Store } from '../../store/store.ts'
import { type BffConfig, bestEffort, type Context, inBackground } from './context.ts'
import { changeNote, type NoteKind, parseNote } from './note.ts'

const CLOCK_NOTE: NoteKind<SharedClock> = { format: 2 }
/** A host whose clock is wrong may start again years later. */
const LIFETIME_MS = 4000 * DAY_MS
/** The stored `Date` may be this old. */
const STORED_EVERY_MS = 10 * MINUTE_MS

/** The name of the note and of its topic. */
export const clockNoteName = ({ config }: { config: Pick<BffConfig, 'serviceUrl'> }): `service ${string}` =>
  `service clock ${config.serviceUrl}`

/**
 * Our own clock may be ahead, so nothing later than this is removed for good.
 * @returns the newest `Date` of a good answer, UNIX milliseconds; 0 before the first one
 */
export async function readNewestDate(store: Pick<Store, 'readNotes'>, serviceUrl: string): Promise<number> {
  const [note] = await store.readNotes([clockNoteName({ config: { serviceUrl } })])
  return parseNote(CLOCK_NOTE, note)?.newestMs ?? 0
}

/** Takes over what another process has seen since. @param note as the store has it */
export function followClock({ memory, now }: Pick<Context, 'memory' | 'now'>, note: unknown): void {
  const shared = parseNote(CLOCK_NOTE, note)
  if (shared === undefined) return
  const { clock, datedMs = 0 } = memory
  const newest = clock !== undefined && datedMs > shared.atMs ? { offset: clock, atMs: datedMs } : shared
  memory.clock = offsetToBelieve(clock, newest, now())
}

/** The good answer to a request. @param servedAtSeconds its `Date` */
export function observeDate(
  context: Context,
  { servedAtSeconds, sentAtMs }: { servedAtSeconds: number; sentAtMs: number },
): void {
  const { memory, now } = context
  const nowMs = now()
  const offset = observeClock(memory.clock, { servedAtSeconds, sentAtMs, receivedAtMs: nowMs })
  const isJump = Math.abs(serviceTimeMs(offset, nowMs) - serviceTimeMs(memory.clock, nowMs)) > CLOCK_JUMP_MS
  const atMs = servedAtSeconds * SECOND_MS
  memory.clock = offset
  memory.datedMs = atMs
  if (!isJump && atMs - (memory.storedDateMs ?? 0) < STORED_EVERY_MS) return
  const change = (known?: SharedClock) => ({ offset, atMs, newestMs: Math.max(known?.newestMs ?? 0, atMs) })
  const write = async (): Promise<void> => {
    await changeNote(context, CLOCK_NOTE, clockNoteName(context), change, nowMs + LIFETIME_MS)
    memory.storedDateMs = atMs
  }
  void inBackground(memory, bestEffort(write()))
}
