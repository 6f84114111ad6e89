/** Decides on what the store knows, and records the request only if it knows nothing else by then. */
import { Problem } from '../contract/problem.ts'
import { ADMISSION_SCRIPTS } from './redis-admission-scripts.ts'
import type { Connection } from './redis-connection.ts'
import { countsSince, daysOf, type Gathered } from './redis-counts.ts'
import type { KnownNotes } from './redis-notes.ts'
import { readingOf, type ReadingRow } from './redis-readings.ts'
import type { Seen } from './redis-seen.ts'
import type { Admission, AdmissionState, LedgerEntry } from './store.ts'

/** Each time another process was faster, so all of them together make progress. */
const MOST_TRIES = 200

type Asked = Omit<Admission, 'decide'>

/** As the scripts answer it. */
type Known = [
  print: string,
  notes: (string | null)[],
  inFlight: number,
  claim: string | null,
  newest: string | null,
  gathered: Gathered,
  reading: ReadingRow | null,
]

/** What this process has seen of the store. */
export interface Memory {
  seen: Seen
  notes: KnownNotes
}

export async function readAdmissionState(
  { run }: Connection,
  memory: Memory,
  organization: string,
  asked: Asked,
): Promise<AdmissionState> {
  const known = (await run(ADMISSION_SCRIPTS.readAdmission, wireOf(organization, asked))) as Known
  return stateOf(memory, organization, asked, known)
}

/** Records a request that is admitted. @returns the organization it counts for. @throws what `decide` throws */
export async function reserveAdmitted(
  { run }: Connection,
  memory: Memory,
  entry: LedgerEntry,
  admission: Admission,
): Promise<string> {
  const [{ organization }, wire] = [entry, wireOf(entry.organization, admission)]
  let known = (await run(ADMISSION_SCRIPTS.readAdmission, wire)) as Known
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const lapsesAtMs = admission.decide(stateOf(memory, organization, admission, known))
    const [isRecorded, answer] = (await run(
      ADMISSION_SCRIPTS.admit,
      wire,
      known[0],
      JSON.stringify(entry),
      lapsesAtMs ?? '',
    )) as [1, string] | [0, Known]
    if (isRecorded === 1) return answer
    known = answer
  }
  throw new Problem('store_unavailable', { cause: new Error(`others were faster ${MOST_TRIES} times`) })
}

/** The arguments of a script. */
const wireOf = (organization: string, { notes, countedSinceMs, inFlight, claim }: Asked): string =>
  JSON.stringify({
    organization,
    notes,
    countedSinceMs,
    token: inFlight.token,
    kinds: inFlight.kinds,
    inFlightSinceMs: inFlight.sinceMs,
    claim,
  })

function stateOf(
  memory: Memory,
  organization: string,
  { countedSinceMs, notes: names }: Asked,
  [, notes, inFlight, claim, newest, gathered, readingRow]: Known,
): AdmissionState {
  const newestAtMs = newest === null ? undefined : Number(newest)
  memory.seen.read(organization, daysOf(gathered), newestAtMs)
  const reading = readingRow === null ? undefined : readingOf(readingRow)
  return {
    notes: notes.map((note, nth) => memory.notes.parse(names[nth] as string, note)),
    counts: countedSinceMs.map((sinceMs, nth) => countsSince(gathered, nth, sinceMs)),
    // A request of the same millisecond was recorded before the number was read.
    sinceReading: reading && {
      reading,
      counts: countsSince(gathered, countedSinceMs.length, reading.readAtMs + 1),
    },
    inFlight,
    newestAtMs,
    claimedUntilMs: claim === null ? undefined : Number(claim),
  }
}
