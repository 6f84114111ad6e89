/** The services that the client is played against: each choice alone, and random ones of all choices. */
import * as fc from 'fast-check'
import {
  CHOICE_KEYS,
  CHOICES,
  changedChoices,
  type ChoiceKey,
  type Choices,
  parseChoices,
} from '../../src/sandbox/choices/choices.ts'

const valuesOf = (key: ChoiceKey): readonly string[] => CHOICES[key].values.map(({ value }) => value)

/** Each choice set to each of its values but the default, as in `codelife=seconds_60`. */
export const SINGLES: readonly [name: string, choices: Choices][] = CHOICE_KEYS.flatMap((key) =>
  valuesOf(key)
    .slice(1)
    .map((value): [string, Choices] => [`${key}=${value}`, parseChoices({ [key]: value })]),
)

/** Any value of any choice; a failure shrinks to the default. */
export const anyService = (): fc.Arbitrary<Choices> =>
  fc
    .record(Object.fromEntries(CHOICE_KEYS.map((key) => [key, fc.constantFrom(...valuesOf(key))])), {
      noNullPrototype: true,
    })
    .map((choices) => parseChoices(choices))

export const nameOf = (choices: Choices): string =>
  changedChoices(choices)
    .map((key) => `${key}=${choices[key]}`)
    .join(' ') || 'the default'

/** The share of all pairs of values of two choices that occur in these services. */
export function shareOfPairs(services: readonly Choices[]): number {
  const all = CHOICE_KEYS.flatMap((a, at) =>
    CHOICE_KEYS.slice(at + 1).map((b) => valuesOf(a).length * valuesOf(b).length),
  )
  const met = new Set(
    services.flatMap((choices) =>
      CHOICE_KEYS.flatMap((a, at) =>
        CHOICE_KEYS.slice(at + 1).map((b) => `${a}=${choices[a]} ${b}=${choices[b]}`),
      ),
    ),
  )
  return met.size / all.reduce((sum, count) => sum + count, 0)
}
