/** Sums up how the steps of all journeys ended, and says where a proof has proven less than it has to. */
import type { Choices } from '../../src/sandbox/choices/choices.ts'
import { IMPOSSIBLE_AT_SIGN_IN, LEAST } from './expected.ts'
import type { StepOutcome } from './recording.ts'

export interface Ended {
  /** Of the choice set. */
  name: string
  choices: Choices
  outcomes: readonly StepOutcome[]
}

const KINDS = ['single', 'pair', 'random'] as const
type Kind = (typeof KINDS)[number]

const kindOf = (name: string): Kind => KINDS.find((kind) => name.startsWith(`${kind}-`)) ?? 'single'

/** How many journeys of each kind ended a step in each way, as lines of a table. */
export function summaryTable(ended: readonly Ended[]): string[] {
  const counts = new Map<string, Record<Kind, number>>()
  const steps = new Map<string, Set<string>>()
  for (const { name, outcomes } of ended) {
    for (const { step, outcome } of outcomes) {
      const row = counts.get(`${step}: ${outcome}`) ?? { single: 0, pair: 0, random: 0 }
      row[kindOf(name)] += 1
      counts.set(`${step}: ${outcome}`, row)
      steps.set(step, (steps.get(step) ?? new Set()).add(outcome))
    }
  }
  const columns = (cells: readonly (string | number)[]) =>
    cells.map((cell) => String(cell).padStart(8)).join('')
  const width = 86
  const lines = [...steps].flatMap(([step, outcomes]) => [
    step,
    ...[...outcomes].toSorted().map((outcome) => {
      const row = counts.get(`${step}: ${outcome}`) ?? { single: 0, pair: 0, random: 0 }
      const cells = KINDS.map((kind) => row[kind])
      return `  ${outcome}`.padEnd(width) + columns([...cells, cells.reduce((a, b) => a + b, 0)])
    }),
  ])
  return ['how each step ended'.padEnd(width) + columns([...KINDS, 'all']), ...lines]
}

/**
 * What these journeys have not proven: every step has to be reached in every journey, and every value with which nobody can
 * sign in has to have ended a sign-in wherever it was chosen.
 */
export function shortfalls(ended: readonly Ended[]): string[] {
  const count = (matches: (one: StepOutcome) => boolean) =>
    ended.reduce((sum, { outcomes }) => sum + outcomes.filter(matches).length, 0)
  const short = (what: string, found: number, least: number) =>
    found >= least ? [] : [`${what}: ${found} of at least ${least}`]
  const steps = LEAST.flatMap(({ step, beginning, share }) => {
    const found = count((one) => one.step === step && one.outcome.startsWith(beginning))
    return short(`${step}: ${beginning}`, found, Math.floor(share * ended.length))
  })
  const impossible = IMPOSSIBLE_AT_SIGN_IN.flatMap(([key, values]) =>
    Object.keys(values).flatMap((value) => {
      const chosen = ended.filter(({ choices }) => choices[key] === value).length
      const found = count(({ outcome }) =>
        outcome.startsWith(`ended at the sign-in because ${key}=${value}:`),
      )
      return short(`ended at the sign-in because ${key}=${value}`, found, chosen)
    }),
  )
  return [...steps, ...impossible]
}
