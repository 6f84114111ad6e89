/** The only place with the choice sets of the proof: each choice alone, all pairs, and random ones. */
import { CHOICES, DEFAULT_CHOICES, type Choices, parseChoices } from '../../src/sandbox/choices/choices.ts'

export interface NamedChoices {
  /** `codelife=seconds_60`, `pair-12`, `random-7`. With the seed it determines the whole set. */
  name: string
  choices: Choices
}

export const DEFAULT_SEED = 20_261_121
const RANDOM_SETS = 30

const KEYS = Object.keys(CHOICES) as (keyof Choices)[]
const valuesOf = (key: keyof Choices): readonly string[] => CHOICES[key].values.map(({ value }) => value)

/** Numbers from 0 up to 1, the same for each seed (mulberry32). */
export function createChance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function allChoiceSets(seed: number): NamedChoices[] {
  return [...singles(), ...pairs(seed), ...randoms(seed)]
}

/** The default, alone and with one choice set to each of its other values. */
export function singles(): NamedChoices[] {
  const others = KEYS.flatMap((key) =>
    valuesOf(key)
      .slice(1)
      .map((value) => ({ name: `${key}=${value}`, choices: parseChoices({ [key]: value }) })),
  )
  return [{ name: 'default', choices: DEFAULT_CHOICES }, ...others]
}

export function randoms(seed: number): NamedChoices[] {
  const chance = createChance(seed + 1)
  return Array.from({ length: RANDOM_SETS }, (_, number) => ({
    name: `random-${number + 1}`,
    choices: choicesOf(KEYS.map((key) => Math.floor(chance() * valuesOf(key).length))),
  }))
}

/** Any two values of two choices occur together at least once. */
export function pairs(seed: number): NamedChoices[] {
  return coverPairs(
    KEYS.map((key) => valuesOf(key).length),
    createChance(seed),
  ).map((row, number) => ({ name: `pair-${number + 1}`, choices: choicesOf(row) }))
}

/**
 * Rows of values that together contain all pairs. A row takes the choices in random order, each with the
 * value that adds the most new pairs; the best of a few such rows is kept.
 */
export function coverPairs(sizes: readonly number[], chance: () => number, tries = 4): number[][] {
  const starts = sizes.map((_, at) => sizes.slice(0, at).reduce((sum, size) => sum + size, 0))
  const width = sizes.reduce((sum, size) => sum + size, 0)
  const met = new Uint8Array(width * width)
  const idOf = (at: number, value: number) => (starts[at] ?? 0) + value
  const rows: number[][] = []
  let left = sizes.flatMap((a, i) => sizes.slice(i + 1).map((b) => a * b)).reduce((sum, n) => sum + n, 0)
  while (left > 0) {
    const candidates = Array.from({ length: tries }, () => greedyRow())
    const best = candidates.reduce((a, b) => (b.gain > a.gain ? b : a))
    rows.push(best.row)
    left -= best.gain
    best.row.forEach((value, at) => {
      best.row.forEach((other, to) => {
        if (at !== to) met[idOf(at, value) * width + idOf(to, other)] = 1
      })
    })
  }
  return rows

  function greedyRow(): { row: number[]; gain: number } {
    const order = sizes.map((_, at) => ({ at, by: chance() })).toSorted((a, b) => a.by - b.by)
    const row: number[] = []
    const chosen: number[] = []
    let gain = 0
    for (const { at } of order) {
      const scores = Array.from({ length: sizes[at] ?? 0 }, (_, value) => {
        const id = idOf(at, value)
        return { value, by: chance(), news: chosen.filter((other) => !met[id * width + other]).length }
      })
      const best = scores.reduce((a, b) => (b.news > a.news || (b.news === a.news && b.by > a.by) ? b : a))
      row[at] = best.value
      chosen.push(idOf(at, best.value))
      gain += best.news
    }
    return { row, gain }
  }
}

const choicesOf = (row: readonly number[]): Choices =>
  parseChoices(Object.fromEntries(KEYS.map((key, at) => [key, valuesOf(key)[row[at] ?? 0]])))

/** The choices that do not have their default value, as `codelife=seconds_60`. */
export const differences = (choices: Choices): string[] =>
  KEYS.filter((key) => choices[key] !== DEFAULT_CHOICES[key]).map((key) => `${key}=${choices[key]}`)
