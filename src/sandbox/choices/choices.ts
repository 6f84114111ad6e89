/** All choices of the sandbox, and the chosen value of each. */
import { API } from './api.ts'
import { AUTHORIZATION } from './authorize.ts'
import type { Choice } from './choice.ts'
import { LIMITS } from './limits.ts'
import { SCREENS } from './settings.ts'
import { TOKEN } from './token.ts'
import { TRANSPORT } from './transport.ts'

/** All 84 by short name, in the order of their numbers. */
export const CHOICES = {
  ...AUTHORIZATION,
  ...TOKEN,
  ...API,
  ...LIMITS,
  ...SCREENS,
  ...TRANSPORT,
} as const satisfies Record<string, Choice>

/** One value for each choice. */
export type Choices = { [Key in keyof typeof CHOICES]: (typeof CHOICES)[Key]['values'][number]['value'] }

/** The first value of each choice. */
export const DEFAULT_CHOICES: Choices = Object.fromEntries(
  Object.entries(CHOICES).map(([key, { values }]) => [key, values[0].value]),
) as Choices

/**
 * Reads changes from outside, as `{ "codelife": "seconds_60" }`.
 * @returns `base` with those changes; `base` itself is not changed
 * @throws Error naming every unknown key or value, each with what it could be
 */
export function parseChoices(changes: unknown, base: Choices = DEFAULT_CHOICES): Choices {
  if (typeof changes !== 'object' || changes === null || Array.isArray(changes))
    throw new Error('Choices are an object of names and values')
  const entries = Object.entries(changes as Record<string, unknown>)
  const problems = entries.flatMap(([key, value]) => problemOf(key, value) ?? [])
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return { ...base, ...Object.fromEntries(entries) }
}

function problemOf(key: string, value: unknown): string | undefined {
  if (!isKey(key)) return `${key} is not a choice; the choices are: ${Object.keys(CHOICES).join(', ')}`
  const known = CHOICES[key].values.map((variant): string => variant.value)
  if (typeof value === 'string' && known.includes(value)) return undefined
  return `${key} cannot be ${JSON.stringify(value)}; its values are: ${known.join(', ')}`
}

const isKey = (key: string): key is keyof Choices => Object.hasOwn(CHOICES, key)
