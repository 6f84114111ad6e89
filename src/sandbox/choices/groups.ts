/** The choices in groups, in the order of their numbers. */
import { API_CHOICES } from './api.ts'
import { AUTHORIZATION_CHOICES } from './authorize.ts'
import type { ChoiceKey } from './choices.ts'
import { LIMIT_CHOICES } from './limits.ts'
import { SETTINGS_CHOICES } from './settings.ts'
import { TOKEN_CHOICES } from './token.ts'
import { TRANSPORT_CHOICES } from './transport.ts'

export interface ChoiceGroup {
  id: string
  name: string
  keys: readonly ChoiceKey[]
}

const group = (id: string, name: string, table: Partial<Record<ChoiceKey, unknown>>): ChoiceGroup => ({
  id,
  name,
  keys: Object.keys(table) as ChoiceKey[],
})

export const groupOf = (key: ChoiceKey): string =>
  CHOICE_GROUPS.find(({ keys }) => keys.includes(key))?.id ?? ''

export const CHOICE_GROUPS: readonly ChoiceGroup[] = [
  group('authorization', 'Sign-in and consent', AUTHORIZATION_CHOICES),
  group('tokens', 'Tokens', TOKEN_CHOICES),
  group('api', 'API', API_CHOICES),
  group('limits', 'Limits and counting', LIMIT_CHOICES),
  group('settings', 'Settings pages', SETTINGS_CHOICES),
  group('transport', 'Transport and browser', TRANSPORT_CHOICES),
]
