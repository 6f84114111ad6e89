/** What was observed of the service where its document leaves it open: one note for a service, shared by all its organizations, which names none. */
import { type FindingName, FINDINGS } from '../../contract/evidence.ts'
import { count, flag, listOf, number, oneOf, onlyMembers, type Reader, text } from '../../contract/json.ts'
import type { ReadingStep, Weighed } from '../../contract/month-weights.ts'
import type { ResetSpan } from '../../contract/month-zones.ts'
import type { Context } from '../core/context.ts'
import { changeNote, type NoteKind, readNote } from '../core/note.ts'

/** What one answer showed, in the words of the finding's value. */
export interface Sighting {
  name: FindingName
  value: string
  /** The service's time, UNIX milliseconds. */
  atMs: number
}

/** Names the readings of one organization, so that what was learnt from them can be replaced when they change; names nothing else. */
interface FromReadings {
  source: string
}

export interface StoredReset extends ResetSpan, Partial<FromReadings> {}

export interface StoredStep extends ReadingStep, FromReadings {
  /** When the later reading was read, by the service's time, UNIX milliseconds. */
  atMs: number
}

export interface ServiceNote {
  sightings: readonly Sighting[]
  resets: readonly StoredReset[]
  /** Zones that fit all resets; absent where these remove none, or contradict each other. */
  zones?: readonly string[]
  steps: readonly StoredStep[]
  confirmed: { readonly [Sort in Weighed]?: { counts: boolean; atMs: number } }
  /** What was observed up to here is not looked at, UNIX milliseconds. */
  forgotten: { readonly [Sort in Weighed]?: number }
}

/** A service is used again within that time, or what is known of it may be out of date. */
const LIFETIME_MS = 400 * 86_400_000

const ofSorts = <T>(reader: Reader<T>) => ({
  'token.code': reader,
  'token.refresh': reader,
  rate_limit: reader,
  failed: reader,
})
const sortCounts = onlyMembers({ certain: count, weighed: onlyMembers(ofSorts(count), {}) }, {})

const SERVICE_NOTE: NoteKind<ServiceNote> = {
  format: 1,
  read: onlyMembers(
    {
      sightings: listOf(onlyMembers({ name: oneOf(FINDINGS), value: text, atMs: number }, {})),
      resets: listOf(onlyMembers({ afterMs: number, byMs: number }, { source: text })),
      steps: listOf(
        onlyMembers(
          { rise: count, sure: sortCounts, sent: sortCounts, unsure: count, source: text, atMs: number },
          {},
        ),
      ),
      confirmed: onlyMembers({}, ofSorts(onlyMembers({ counts: flag, atMs: number }, {}))),
      forgotten: onlyMembers({}, ofSorts(number)),
    },
    { zones: listOf(text) },
  ),
}

export const NO_EVIDENCE: ServiceNote = {
  sightings: [],
  resets: [],
  steps: [],
  confirmed: {},
  forgotten: {},
}

/** The name of the note, and of the topic of its changes. */
export const serviceNoteName = ({ config }: Pick<Context, 'config'>): `service ${string}` =>
  `service ${config.serviceUrl}`

/** What was observed of the service until now. */
export async function readServiceNote(context: Context): Promise<ServiceNote> {
  return (await readNote(context, SERVICE_NOTE, serviceNoteName(context))) ?? NO_EVIDENCE
}

/** Changes it in one step. */
export const changeServiceNote = (
  context: Context,
  change: (known: ServiceNote) => ServiceNote,
): Promise<void> =>
  changeNote(
    context,
    SERVICE_NOTE,
    serviceNoteName(context),
    (known) => change(known ?? NO_EVIDENCE),
    context.now() + LIFETIME_MS,
  )
