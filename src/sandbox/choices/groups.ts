/** The choices in groups, in the order of their numbers. */
import { API } from './api.ts'
import { AUTHORIZATION } from './authorize.ts'
import type { Choices } from './choices.ts'
import { LIMITS } from './limits.ts'
import { SCREENS } from './settings.ts'
import { TOKEN } from './token.ts'
import { TRANSPORT } from './transport.ts'

export interface ChoiceGroup {
  id: string
  name: string
  keys: readonly (keyof Choices)[]
}

const group = (id: string, name: string, table: Partial<Record<keyof Choices, unknown>>): ChoiceGroup => ({
  id,
  name,
  keys: Object.keys(table) as (keyof Choices)[],
})

/** Each choice is in one. */
export const groupOf = (key: keyof Choices): string =>
  CHOICE_GROUPS.find(({ keys }) => keys.includes(key))?.id ?? ''

export const CHOICE_GROUPS: readonly ChoiceGroup[] = [
  group('authorization', 'Sign-in and consent', AUTHORIZATION),
  group('tokens', 'Tokens', TOKEN),
  group('api', 'API', API),
  group('limits', 'Limits and counting', LIMITS),
  group('settings', 'Settings pages', SCREENS),
  group('transport', 'Transport and browser', TRANSPORT),
]
