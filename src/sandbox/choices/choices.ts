/** All choices of the sandbox, and the chosen value of each. */
import { API_CHOICES } from './api.ts'
import { AUTHORIZATION_CHOICES } from './authorize.ts'
import type { Choice } from './choice.ts'
import { LIMIT_CHOICES } from './limits.ts'
import { SETTINGS_CHOICES } from './settings.ts'
import { TOKEN_CHOICES } from './token.ts'
import { TRANSPORT_CHOICES } from './transport.ts'

/** All 84, by short name, in the order of their numbers. */
export const CHOICES = {
  ...AUTHORIZATION_CHOICES,
  ...TOKEN_CHOICES,
  ...API_CHOICES,
  ...LIMIT_CHOICES,
  ...SETTINGS_CHOICES,
  ...TRANSPORT_CHOICES,
} as const satisfies Record<string, Choice>

export type ChoiceKey = keyof typeof CHOICES
export const CHOICE_KEYS = Object.keys(CHOICES) as ChoiceKey[]

export type Choices = { [Key in ChoiceKey]: (typeof CHOICES)[Key]['values'][number]['value'] }

export const DEFAULT_CHOICES: Choices = Object.fromEntries(
  Object.entries(CHOICES).map(([key, { values }]) => [key, values[0].value]),
) as Choices

export const changedChoices = (choices: Readonly<Choices>): ChoiceKey[] =>
  CHOICE_KEYS.filter((key) => choices[key] !== DEFAULT_CHOICES[key])

/**
 * Returns a copy of `base` with changes from outside, such as `{ "codelife": "seconds_60" }`.
 * @throws Error that names every unknown key and value, with the possible ones
 */
export function parseChoices(changes: unknown, base: Choices = DEFAULT_CHOICES): Choices {
  if (typeof changes !== 'object' || changes === null || Array.isArray(changes))
    throw new Error('Choices must be an object of names and values')
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

const isKey = (key: string): key is ChoiceKey => Object.hasOwn(CHOICES, key)
