/** The services that the client is played against: each choice alone, and random ones of all choices. */
import * as fc from 'fast-check'
import {
  CHOICE_KEYS,
  CHOICES,
  changedChoices,
  type ChoiceKey,
  type Choices,
  DEFAULT_CHOICES,
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

/**
 * Services in which any two values of two choices occur together. Each takes the choices in random order, and
 * for each the value that adds the most new pairs, or else a random one.
 */
export function servicesOfAllPairs(seed: number): Choices[] {
  const anyOrder = fc.shuffledSubarray([...CHOICE_KEYS], { minLength: CHOICE_KEYS.length })
  const all = CHOICE_KEYS.flatMap((a, at) =>
    CHOICE_KEYS.slice(at + 1).map((b) => valuesOf(a).length * valuesOf(b).length),
  ).reduce((sum, count) => sum + count, 0)
  const met = new Set<string>()
  const services: Choices[] = []
  while (met.size < all) {
    const chosen: string[] = []
    const chance = { seed: seed + services.length, numRuns: 1 }
    const [random = DEFAULT_CHOICES] = fc.sample(anyService(), chance)
    for (const key of fc.sample(anyOrder, chance)[0] ?? []) {
      const offers = [random[key], ...valuesOf(key)].map((value) => {
        const pairs = chosen.map((other) => [`${key}=${value}`, other].toSorted().join(' '))
        return { one: `${key}=${value}`, news: pairs.filter((pair) => !met.has(pair)) }
      })
      const best = offers.reduce((a, b) => (b.news.length > a.news.length ? b : a))
      for (const pair of best.news) met.add(pair)
      chosen.push(best.one)
    }
    services.push(parseChoices(Object.fromEntries(chosen.map((one) => one.split('=')))))
  }
  return services
}
