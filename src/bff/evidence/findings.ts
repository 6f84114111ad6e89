/** What follows from the evidence: each finding with its value, and the assumptions with what is found out in their place. */
import { ASSUMED, type Assumptions, type Counts } from '../../contract/assumptions.ts'
import { type Finding, type FindingName, FINDINGS, type Observation } from '../../contract/evidence.ts'
import { type Weighed, WEIGHED, type Weights, weigh } from '../../contract/month-weights.ts'
import type { Context } from '../core/context.ts'
import { readServiceNote, type ServiceNote, type StoredStep } from './note.ts'

/** What is said of a finding beside its name. */
type Known = Omit<Finding, 'name' | 'assumed'>

const NOTHING: Known = { in_use: false, confirmable: false, observations: [] }
const MOST_OBSERVATIONS = 5

/** The findings on whether requests count in the month. */
export const SORTS = {
  token_code_counts: 'token.code',
  token_refresh_counts: 'token.refresh',
  rate_limit_counts: 'rate_limit',
  failed_requests_count: 'failed',
} as const satisfies { [Name in FindingName]?: Weighed }
type CountFinding = keyof typeof SORTS

export const isCountFinding = (name: FindingName): name is CountFinding => name in SORTS

/** What is assumed without evidence, in the words of the value. */
const ASSUMED_VALUES: Record<FindingName, string> = {
  month_status: String(ASSUMED.month_status),
  token_code_counts: ASSUMED.counts_in_month['token.code'],
  token_refresh_counts: ASSUMED.counts_in_month['token.refresh'],
  rate_limit_counts: ASSUMED.counts_in_month.rate_limit,
  failed_requests_count: ASSUMED.failed_requests_count_in_month,
  month_zones: ASSUMED.month_zones.join(', '),
  refresh_rotates: 'unknown',
  headers_describe: ASSUMED.headers_describe,
}

/** A row for each finding, of which most have no value. */
export const findingsOf = (note: ServiceNote): Finding[] =>
  FINDINGS.map((name) => ({ name, assumed: ASSUMED_VALUES[name], ...known(note, name) }))

/** What the client assumes of the service, with what the evidence shows in its place. */
export function assumptionsOf(note: ServiceNote): Assumptions {
  const inUse = (name: FindingName) => {
    const { value, in_use } = known(note, name)
    return in_use ? value : undefined
  }
  const status = inUse('month_status')
  const counts = (name: CountFinding) => (inUse(name) ?? ASSUMED_VALUES[name]) as Counts
  return {
    ...ASSUMED,
    month_status: status === undefined ? ASSUMED.month_status : Number(status),
    headers_describe: (inUse('headers_describe') ??
      ASSUMED.headers_describe) as Assumptions['headers_describe'],
    month_zones: note.zones ?? ASSUMED.month_zones,
    counts_in_month: {
      ...ASSUMED.counts_in_month,
      'token.code': counts('token_code_counts'),
      'token.refresh': counts('token_refresh_counts'),
      rate_limit: counts('rate_limit_counts'),
    },
    failed_requests_count_in_month: counts('failed_requests_count'),
  }
}

/** By their note, which is the same object until it changes. */
const knownAssumptions = new WeakMap<ServiceNote, Assumptions>()

/** The assumptions by what is known now. */
export async function readAssumptions(context: Context): Promise<Assumptions> {
  const note = await readServiceNote(context)
  const assumptions = knownAssumptions.get(note) ?? assumptionsOf(note)
  knownAssumptions.set(note, assumptions)
  return assumptions
}

function known(note: ServiceNote, name: FindingName): Known {
  if (isCountFinding(name)) return knownCount(note, SORTS[name])
  return name === 'month_zones' ? knownZones(note) : knownBySight(note, name)
}

type Sighted = Exclude<FindingName, CountFinding | 'month_zones'>

const SIGHTS: Record<Sighted, (value: string) => Omit<Observation, 'at'>> = {
  month_status: (value) => ({ code: 'status_over_the_month', value }),
  refresh_rotates: (value) => ({
    code: value === 'yes' ? 'refresh_rotated' : 'refresh_did_not_rotate',
  }),
  headers_describe: (value) => ({
    code: 'headers_described',
    value: value === 'update' ? 'update' : 'read',
  }),
}

/** Sightings that agree are a finding. How a refresh token is stored does not depend on one. */
function knownBySight({ sightings }: ServiceNote, name: Sighted): Known {
  const own = sightings.filter((sighting) => sighting.name === name)
  const [newest] = own
  if (newest === undefined) return NOTHING
  const agree = own.every(({ value }) => value === newest.value)
  return {
    ...NOTHING,
    ...(agree && { value: newest.value, in_use: name !== 'refresh_rotates' }),
    observations: own.map(({ atMs, value }) => observation(atMs, SIGHTS[name](value))),
  }
}

function knownZones({ resets, zones }: ServiceNote): Known {
  const seen = resets.map(({ afterMs, byMs }) =>
    observation(byMs, { code: 'month_reset', after: timeOf(afterMs), by: timeOf(byMs) }),
  )
  return {
    ...NOTHING,
    ...(zones && { value: zones.join(', '), in_use: true }),
    observations: seen,
  }
}

/**
 * A person confirms what the evidence fits and does not prove; and all of failures, since those of one sort may count and those of
 * another not.
 */
function knownCount(note: ServiceNote, sort: Weighed): Known {
  const steps = stepsOf(note)
  const { excluded, exact } = weigh(steps)
  const isExcluded = excluded.includes(sort)
  const confirmed = note.confirmed[sort]
  const observations = [
    ...(confirmed ? [observation(confirmed.atMs, { code: 'confirmed' })] : []),
    ...observationsOf(steps, sort, { excluded, exact }),
  ]
  // What is excluded was confirmed too early: which of the two is wrong is not known.
  if (confirmed && isExcluded && confirmed.counts) return { ...NOTHING, observations }
  if (confirmed) return { ...NOTHING, value: yesOrNo(confirmed.counts), in_use: true, observations }
  if (isExcluded && sort !== 'failed') return { ...NOTHING, value: 'no', in_use: true, observations }
  const counts = isExcluded ? false : exact[sort]
  return counts === undefined
    ? NOTHING
    : { ...NOTHING, value: yesOrNo(counts), confirmable: true, observations }
}

const yesOrNo = (counts: boolean): string => (counts ? 'yes' : 'no')

/** The steps without what is forgotten: how many requests of that sort were counted in one is then not known. */
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
): Known['observations'] {
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
