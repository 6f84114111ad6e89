/** Observations of points that the document leaves open: one note for a service, naming no organization. */
import { DAY_MS } from '../../contract/duration.ts'
import type { ReadingStep, Weighed } from '../../contract/month-weights.ts'
import { type ResetSpan, zonesThatFit } from '../../contract/month-zones.ts'
import type { Context, Within } from '../core/context.ts'
import { changeNote, type NoteKind, parseNote } from '../core/note.ts'
import { ASSUMED } from '../../contract/assumptions.ts'

interface FromReadings {
  /** A fingerprint of the organization, so that its results can be replaced when its readings change. */
  source: string
}

export interface StoredReset extends ResetSpan, Partial<FromReadings> {}

export interface StoredStep extends ReadingStep, FromReadings {
  /** The service's time at the later reading, UNIX milliseconds. */
  atMs: number
}

export interface ServiceNote {
  resets: readonly StoredReset[]
  /** The zones that fit all resets; absent if the resets exclude none or contradict each other. */
  zones?: readonly string[]
  steps: readonly StoredStep[]
  confirmed: { readonly [Sort in Weighed]?: { counts: boolean; atMs: number } }
  /** Observations up to this time are ignored, UNIX milliseconds. */
  forgotten: { readonly [Sort in Weighed | 'month_zones']?: number }
}

/** A service that is not used for this long may have changed. */
const LIFETIME_MS = 400 * DAY_MS

const SERVICE_NOTE: NoteKind<ServiceNote> = { format: 2 }

export const NO_EVIDENCE: ServiceNote = {
  resets: [],
  steps: [],
  confirmed: {},
  forgotten: {},
}

/** The name of the note and of its topic. */
export const serviceNoteName = ({ config }: Pick<Context, 'config'>): `service ${string}` =>
  `service ${config.serviceUrl}`

export const parseServiceNote = (stored: unknown): ServiceNote =>
  parseNote(SERVICE_NOTE, stored) ?? NO_EVIDENCE

export const readServiceNote = async (context: Within): Promise<ServiceNote> =>
  parseServiceNote((await context.store.readNotes([serviceNoteName(context)]))[0])

export const changeServiceNote = (
  context: Within,
  change: (note: ServiceNote) => ServiceNote,
): Promise<void> =>
  changeNote(
    context,
    SERVICE_NOTE,
    serviceNoteName(context),
    (note) => change(note ?? NO_EVIDENCE),
    context.now() + LIFETIME_MS,
  )

const MOST_RESETS = 5

/** Stores that the month was reset within a span, which excludes zones where that is impossible (8.3). */
export async function addReset(context: Within, reset: StoredReset): Promise<void> {
  await changeServiceNote(context, (note) => withResets(note, [reset, ...note.resets]))
}

/** Replaces the resets of a note, and finds the zones that fit all of them. */
export function withResets(note: ServiceNote, resets: readonly StoredReset[]): ServiceNote {
  const { zones: _, ...others } = note
  const newest = resets.slice(0, MOST_RESETS)
  const zones = zonesOf(newest)
  return { ...others, resets: newest, ...(zones && { zones }) }
}

function zonesOf(resets: readonly StoredReset[]): readonly string[] | undefined {
  const zones = resets.reduce<readonly string[]>(zonesThatFit, ASSUMED.month_zones)
  return zones === ASSUMED.month_zones || zones.length === 0 ? undefined : zones
}
