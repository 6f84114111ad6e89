/** Sums up how the steps of all journeys ended, and reports what a proof has not proven. */
import type { Choices } from '../../src/sandbox/choices/choices.ts'
import { LEAST, REACHED_WHERE } from './expected.ts'
import type { StepOutcome } from './recording.ts'

export interface Ended {
  /** The number of readings of the month that a person entered. */
  readings?: number
  name: string
  choices: Choices
  outcomes: readonly StepOutcome[]
}

const KINDS = ['single', 'pair', 'random'] as const
type Kind = (typeof KINDS)[number]

const kindOf = (name: string): Kind => KINDS.find((kind) => name.startsWith(`${kind}-`)) ?? 'single'

/** A table of how many journeys of each kind ended a step in each way, as lines. */
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
 * @returns a line for everything that these journeys have not proven. Each step has to be reached in a share
 * of all journeys, and every value that makes a sign-in impossible has to end one wherever it is chosen.
 * @param journeys the number of journeys that must have ended
 */
export function shortfalls(ended: readonly Ended[], journeys = ended.length): string[] {
  const count = (matches: (one: StepOutcome) => boolean) =>
    ended.reduce((sum, { outcomes }) => sum + outcomes.filter(matches).length, 0)
  const short = (what: string, found: number, least: number) =>
    found >= least ? [] : [`${what}: ${found} of at least ${least}`]
  const steps = LEAST.flatMap(({ step, beginning, share }) => {
    const found = count((one) => one.step === step && one.outcome.startsWith(beginning))
    return short(`${step}: ${beginning}`, found, Math.floor(share * ended.length))
  })
  const where = REACHED_WHERE.flatMap(({ chosen, step, beginning }) => {
    const sets = ended.filter(({ choices }) =>
      Object.entries(choices).some((one) => one.join('=') === chosen),
    )
    const found = sets.filter(({ outcomes }) =>
      outcomes.some((one) => one.step === step && one.outcome.startsWith(beginning)),
    )
    return short(`where ${chosen}, ${step}: ${beginning}`, found.length, sets.length)
  })
  return [...short('journeys', ended.length, journeys), ...steps, ...where]
}
