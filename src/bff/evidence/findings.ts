/** What the evidence shows, and what the operator states. A value in use replaces its assumption. */
import { ASSUMED, type Assumptions, type Counts } from '../../contract/assumptions.ts'
import {
  type CountFinding,
  FINDINGS,
  type Finding,
  type FindingName,
  isCountFinding,
  type Observation,
  SORTS,
  type Stated,
} from '../../contract/evidence.ts'
import { WEIGHED, type Weighed, type Weights, weigh } from '../../contract/month-weights.ts'
import { clockNoteName, followClock } from '../core/clock.ts'
import { bestEffort, briefly, type Context, type Within } from '../core/context.ts'
import { parseServiceNote, type ServiceNote, type StoredStep, serviceNoteName } from './note.ts'

type EvidenceOf = Omit<Finding, 'name' | 'assumed'>

const NO_EVIDENCE_YET: EvidenceOf = { in_use: false, confirmable: false, observations: [] }
const MOST_OBSERVATIONS = 5

const ASSUMED_VALUES: Record<FindingName, string> = {
  token_code_counts: ASSUMED.counts_in_month['token.code'],
  token_refresh_counts: ASSUMED.counts_in_month['token.refresh'],
  rate_limit_counts: ASSUMED.counts_in_month.rate_limit,
  failed_requests_count: ASSUMED.failed_requests_count_in_month,
  month_zones: ASSUMED.month_zones.join(', '),
}

/** Most have no value. The evidence is shown beside what is stated. */
export const findingsOf = (note: ServiceNote, stated: Stated = {}): Finding[] =>
  FINDINGS.map((name) => {
    const found = { name, assumed: ASSUMED_VALUES[name], ...evidenceOf(note, name) }
    const known = stated[name]
    return known === undefined ? found : { ...found, stated: known, in_use: false, confirmable: false }
  })

export function assumptionsOf(note: ServiceNote, stated: Stated = {}): Assumptions {
  const inUse = (name: FindingName) => {
    const { value, in_use } = evidenceOf(note, name)
    return stated[name] ?? (in_use ? value : undefined)
  }
  const counts = (name: CountFinding) => (inUse(name) ?? ASSUMED_VALUES[name]) as Counts
  return {
    ...ASSUMED,
    month_zones:
      stated.month_zones === undefined ? (note.zones ?? ASSUMED.month_zones) : [stated.month_zones],
    counts_in_month: {
      ...ASSUMED.counts_in_month,
      'token.code': counts('token_code_counts'),
      'token.refresh': counts('token_refresh_counts'),
      rate_limit: counts('rate_limit_counts'),
    },
    failed_requests_count_in_month: counts('failed_requests_count'),
  }
}

/** Reads the shared clock too, so read the service's time after it. */
export async function readAssumptions(context: Within): Promise<Assumptions> {
  const names = [serviceNoteName(context), clockNoteName(context)]
  const [stored, clock] = await context.store.readNotes(names)
  followClock(context, clock)
  return assumptionsOf(parseServiceNote(stored), context.config.stated)
}

/** In an answer, an absent member is not known. */
export const ifKnown = (counts: Counts): Counts | undefined => (counts === 'unknown' ? undefined : counts)

/** Says if a code exchange counts; `undefined` if that is not known, or the store does not answer at once. */
export async function signInCounts(context: Context): Promise<Counts | undefined> {
  const assumed = await briefly(context, bestEffort(readAssumptions(context)))
  return assumed && ifKnown(assumed.counts_in_month['token.code'])
}

function evidenceOf(note: ServiceNote, name: FindingName): EvidenceOf {
  return isCountFinding(name) ? evidenceOfCount(note, SORTS[name]) : evidenceOfZones(note)
}

function evidenceOfZones({ resets, zones }: ServiceNote): EvidenceOf {
  const seen = resets.map(({ afterMs, byMs }) =>
    observation(byMs, { code: 'month_reset', after: timeOf(afterMs), by: timeOf(byMs) }),
  )
  return {
    ...NO_EVIDENCE_YET,
    ...(zones && { value: zones.join(', '), in_use: true }),
    observations: seen,
  }
}

/**
 * Evidence that fits a value without proving it needs a person's confirmation. A value for failures always
 * does, because failures of one sort may count while others do not.
 */
function evidenceOfCount(note: ServiceNote, sort: Weighed): EvidenceOf {
  const steps = stepsOf(note)
  const { excluded, exact } = weigh(steps)
  const isExcluded = excluded.includes(sort)
  const confirmed = note.confirmed[sort]
  const observations = [
    ...(confirmed ? [observation(confirmed.atMs, { code: 'confirmed' })] : []),
    ...observationsOf(steps, sort, { excluded, exact }),
  ]
  // The evidence contradicts the confirmation, and either may be wrong.
  if (confirmed && isExcluded && confirmed.counts) return { ...NO_EVIDENCE_YET, observations }
  if (confirmed) return { ...NO_EVIDENCE_YET, value: yesOrNo(confirmed.counts), in_use: true, observations }
  if (isExcluded && sort !== 'failed') return { ...NO_EVIDENCE_YET, value: 'no', in_use: true, observations }
  const counts = isExcluded ? false : exact[sort]
  return counts === undefined
    ? NO_EVIDENCE_YET
    : { ...NO_EVIDENCE_YET, value: yesOrNo(counts), confirmable: true, observations }
}

const yesOrNo = (counts: boolean): string => (counts ? 'yes' : 'no')

/** The number of counted requests of a forgotten sort is unknown. */
function stepsOf({ steps, forgotten }: ServiceNote): StoredStep[] {
  const without = (step: StoredStep, sort: Weighed): StoredStep => ({
    ...step,
    sure: { ...step.sure, weighed: { ...step.sure.weighed, [sort]: 0 } },
    sent: { ...step.sent, weighed: { ...step.sent.weighed, [sort]: 0 } },
    unsure: step.unsure + step.sent.weighed[sort],
  })
  return steps.map((step) =>
    WEIGHED.filter((sort) => step.atMs <= (forgotten[sort] ?? -Infinity)).reduce(without, step),
  )
}

function observationsOf(
  steps: readonly StoredStep[],
  sort: Weighed,
  { excluded, exact }: Weights,
): EvidenceOf['observations'] {
  const counts = exact[sort]
  if (!excluded.includes(sort) && counts === undefined) return []
  const code = excluded.includes(sort) ? 'rose_by_less' : counts ? 'rose_with' : 'rose_without'
  const telling = steps.filter(({ sent }) => sent.weighed[sort] > 0)
  return telling.slice(0, MOST_OBSERVATIONS - 1).map(({ atMs }) => observation(atMs, { code }))
}

const observation = (atMs: number, seen: Omit<Observation, 'at'>): Observation => ({
  at: timeOf(atMs),
  ...seen,
})

const timeOf = (ms: number): string => new Date(ms).toISOString()
