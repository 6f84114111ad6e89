/** Decides on what the store knows, and records the request only if it knows nothing else by then. */
import { createHash } from 'node:crypto'
import { Problem } from '../contract/problem.ts'
import { ADMISSION_SCRIPTS } from './redis-admission-scripts.ts'
import type { Connection } from './redis-connection.ts'
import type { Gathered } from './redis-counts.ts'
import type { Known, Ledger } from './redis-known.ts'
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

interface Read {
  answer: Answer
  state: AdmissionState
}

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

/** What an admission was decided on, and until when it takes the claim. */
interface Decided {
  print: string
  /** Of the ledger. */
  state: string
  lapsesAtMs: number | undefined
}

/** Records a request that is admitted. @throws what `decide` throws */
export async function reserveAdmitted(
  { run }: Connection,
  known: Known,
  entry: LedgerEntry,
  admission: Admission,
): Promise<Recorded> {
  const { organization } = entry
  const decideOn = ({ answer: [print, , , , , state], state: read }: Read): Decided => ({
    print,
    state,
    lapsesAtMs: admission.decide(read),
  })
  let decided =
    decideUnread(known, organization, admission) ?? decideOn(await read(run, known, organization, admission))
  for (let tries = 1; ; tries += 1) {
    const [isRecorded, result] = (await run(
      ADMISSION_SCRIPTS.admit,
      wireOf(organization, admission, decided.state),
      decided.print,
      JSON.stringify(entry),
      decided.lapsesAtMs ?? '',
    )) as [1, Recorded] | [0, Answer]
    if (isRecorded === 1) return result
    if (tries === MOST_TRIES)
      throw new Problem('store_unavailable', { cause: new Error(`others were faster ${MOST_TRIES} times`) })
    const now = stateOf(known, organization, admission, result)
    decided = decideOn(
      now === undefined ? await read(run, known, organization, admission) : { answer: result, state: now },
    )
  }
}

/**
 * Admits by the ledger and the notes as this process has seen them last, with no request in flight and no claim, so that nothing need
 * be read first; the script records nothing where it is otherwise. `undefined` where it is not known, or would not be admitted.
 */
function decideUnread(known: Known, organization: string, admission: Admission): Decided | undefined {
  const ledger = knownLedger(known, organization, admission)
  if (ledger === undefined) return undefined
  const { state, ...seen } = ledger
  const stored = admission.notes.map((name) => known.notes.stored(name))
  const notes = stored.map((note, nth) => known.notes.parse(admission.notes[nth] as string, note))
  try {
    const unread = { ...seen, notes, inFlight: 0, newestAtMs: undefined, claimedUntilMs: undefined }
    // A try at the end of the month takes a claim, and needs what was not read.
    if (admission.decide(unread) !== undefined) return undefined
  } catch {
    return undefined
  }
  return { print: printOf(state, stored), state, lapsesAtMs: undefined }
}

/** As the scripts make it (`known` in redis-admission-scripts.ts), with no request in flight and no claim. */
const printOf = (state: string, notes: readonly (string | null)[]): string =>
  createHash('sha1')
    .update([state, 0, '', ...notes.map((note) => note ?? '')].join('\n'))
    .digest('hex')

/** The ledger of an organization as this process has seen it last, and its state; `undefined` where it does not know it. */
function knownLedger(
  known: Known,
  organization: string,
  { countedSinceMs }: Pick<Asked, 'countedSinceMs'>,
): (Ledger & { state: string }) | undefined {
  const state = known.ledgers.stateOf(organization) ?? ''
  const ledger = known.ledger(organization, countedSinceMs, state)
  return ledger && { ...ledger, state }
}

/** Reads without what this process knows; where that was given up meanwhile, all of it. */
async function read(run: Connection['run'], known: Known, organization: string, asked: Asked): Promise<Read> {
  const latest = knownLedger(known, organization, asked)?.state
  for (let wire = wireOf(organization, asked, latest); ; wire = wireOf(organization, asked)) {
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
