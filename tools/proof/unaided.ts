/** Decides which journeys use every limit up by themselves. */
import { CHOICES } from '../../src/sandbox/choices/choices.ts'
import { differences, type NamedChoices } from './choice-sets.ts'

/** U53 to U67: headers, minute, counting, and refusals. */
const LIMITS = { from: 53, to: 67 }
/** One in this many of the mixed choice sets. */
const EVERY = 20

/** True if the only choice is about limits, and for each 20th mixed set; else others use most of a limit. */
export function isUnaided({ name, choices }: NamedChoices): boolean {
  const number = /-(\d+)$/.exec(name)?.[1]
  if (number !== undefined) return Number(number) % EVERY === 0
  return differences(choices).some((difference) => {
    const key = difference.slice(0, difference.indexOf('=')) as keyof typeof CHOICES
    const { number: at } = CHOICES[key]
    return at >= LIMITS.from && at <= LIMITS.to
  })
}
