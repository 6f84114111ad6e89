/** All choices as one schema. The page, the OpenAPI document and the errors are made from it. */
import * as v from 'valibot'
import { API_CHOICES, LIMIT_CHOICES } from './api.ts'
import type { ChoiceText } from './choice.ts'
import { AUTHORIZATION_CHOICES, TOKEN_CHOICES } from './oauth.ts'

export { numberIn } from './choice.ts'

export const CHOICE_GROUPS = {
  'Sign-in and consent': AUTHORIZATION_CHOICES,
  Tokens: TOKEN_CHOICES,
  API: API_CHOICES,
  'Limits and counting': LIMIT_CHOICES,
}

export const CHOICES_SCHEMA = v.strictObject({
  ...AUTHORIZATION_CHOICES,
  ...TOKEN_CHOICES,
  ...API_CHOICES,
  ...LIMIT_CHOICES,
})

export type Choices = v.InferOutput<typeof CHOICES_SCHEMA>
export type ChoiceKey = keyof Choices
export const CHOICE_KEYS = Object.keys(CHOICES_SCHEMA.entries) as ChoiceKey[]

export const CHOICES = Object.fromEntries(
  Object.entries(CHOICES_SCHEMA.entries).map(([key, { wrapped }]) => [key, v.getMetadata(wrapped)]),
) as unknown as Record<ChoiceKey, ChoiceText>

export const DEFAULT_CHOICES: Choices = v.parse(CHOICES_SCHEMA, {})

export const changedChoices = (choices: Readonly<Choices>): ChoiceKey[] =>
  CHOICE_KEYS.filter((key) => choices[key] !== DEFAULT_CHOICES[key])

/** @throws Error that names every unknown key and value, with the possible ones */
export function parseChoices(changes: unknown, base: Choices = DEFAULT_CHOICES): Choices {
  if (typeof changes !== 'object' || changes === null || Array.isArray(changes))
    throw new Error('Choices must be an object of names and values')
  const problems = Object.entries(changes).flatMap(([key, value]) => problemsOf(key, value))
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return { ...base, ...changes }
}

function problemsOf(key: string, value: unknown): string[] {
  if (!Object.hasOwn(CHOICES, key))
    return [`${key} is not a choice; the choices are: ${CHOICE_KEYS.join(', ')}`]
  const values = Object.keys(CHOICES[key as ChoiceKey]['x-values'])
  return values.some((known) => known === value)
    ? []
    : [`${key} cannot be ${JSON.stringify(value)}; its values are: ${values.join(', ')}`]
}
