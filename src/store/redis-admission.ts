/** Decides on what the store knows, and records the request only if it knows nothing else by then. */
import { Problem } from '../contract/problem.ts'
import { ADMISSION_SCRIPTS } from './redis-admission-scripts.ts'
import type { Connection } from './redis-connection.ts'
import type { Gathered } from './redis-counts.ts'
import type { Known } from './redis-known.ts'
import type { ReadingRow } from './redis-readings.ts'
import type { Admission, AdmissionState, LedgerEntry } from './store.ts'

/** Each time another process was faster, so all of them together make progress. */
const MOST_TRIES = 200

type Asked = Omit<Admission, 'decide'>

/** As the scripts answer it. The last two are absent where the caller knows the state of the ledger. */
type Answer = [
  print: string,
  notes: (string | null)[],
  inFlight: number,
  claim: string | null,
  newest: string | null,
  state: string,
  gathered?: Gathered,
  reading?: ReadingRow | null,
]

/** A request as it was recorded: what it counts for, and the state of that ledger before and after. */
export type Recorded = [organization: string, before: string, after: string]

export async function readAdmissionState(
  { run }: Connection,
  known: Known,
  organization: string,
  asked: Asked,
): Promise<AdmissionState> {
  return (await read(run, known, organization, asked)).state
}

/** Records a request that is admitted. @throws what `decide` throws */
export async function reserveAdmitted(
  { run }: Connection,
  known: Known,
  entry: LedgerEntry,
  admission: Admission,
): Promise<Recorded> {
  const { organization } = entry
  let { answer, state } = await read(run, known, organization, admission)
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const lapsesAtMs = admission.decide(state)
    const [isRecorded, result] = (await run(
      ADMISSION_SCRIPTS.admit,
      wireOf(organization, admission, answer[5]),
      answer[0],
      JSON.stringify(entry),
      lapsesAtMs ?? '',
    )) as [1, Recorded] | [0, Answer]
    if (isRecorded === 1) return result
    const now = stateOf(known, organization, admission, result)
    if (now === undefined) ({ answer, state } = await read(run, known, organization, admission))
    else [answer, state] = [result, now]
  }
  throw new Problem('store_unavailable', { cause: new Error(`others were faster ${MOST_TRIES} times`) })
}

/** Reads without what this process knows; where that was given up meanwhile, all of it. */
async function read(
  run: Connection['run'],
  known: Known,
  organization: string,
  asked: Asked,
): Promise<{ answer: Answer; state: AdmissionState }> {
  const latest = known.ledgers.stateOf(organization)
  const isKnown = latest !== undefined && known.ledger(organization, asked.countedSinceMs, latest)
  for (
    let wire = wireOf(organization, asked, isKnown ? latest : undefined);
    ;
    wire = wireOf(organization, asked)
  ) {
    const answer = (await run(ADMISSION_SCRIPTS.readAdmission, wire)) as Answer
    const state = stateOf(known, organization, asked, answer)
    if (state !== undefined) return { answer, state }
  }
}

/** The arguments of a script. @param state of the ledger, which is not answered where it is still the same */
const wireOf = (
  organization: string,
  { notes, countedSinceMs, inFlight, claim }: Asked,
  state?: string,
): string =>
  JSON.stringify({
    organization,
    notes,
    countedSinceMs,
    token: inFlight.token,
    kinds: inFlight.kinds,
    inFlightSinceMs: inFlight.sinceMs,
    claim,
    state,
  })

/** `undefined` where the answer has no ledger, and this process does not know it any more. */
function stateOf(
  known: Known,
  organization: string,
  { countedSinceMs, notes: names }: Asked,
  [, notes, inFlight, claim, newest, state, gathered, reading = null]: Answer,
): AdmissionState | undefined {
  const ledger =
    gathered === undefined
      ? known.ledger(organization, countedSinceMs, state)
      : known.readLedger(organization, countedSinceMs, { state, gathered, reading })
  if (ledger === undefined) return undefined
  const newestAtMs = newest === null ? undefined : Number(newest)
  known.seen.read(organization, [], newestAtMs)
  return {
    ...ledger,
    notes: notes.map((note, nth) => known.notes.parse(names[nth] as string, note)),
    inFlight,
    newestAtMs,
    claimedUntilMs: claim === null ? undefined : Number(claim),
  }
}
