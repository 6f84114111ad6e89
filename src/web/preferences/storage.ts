/** Preferences in this browser's storage, which holds nothing for one that the person has not chosen. */
import { choicesCookieName, plainCookiePrefix } from '../../contract/cookie-name.ts'
import { isLanguage, type Language, languageOfChoice } from '../text/languages.ts'

const PREFERENCE_NAMES = ['language', 'theme'] as const
type PreferenceName = (typeof PREFERENCE_NAMES)[number]
const preferenceKey = (name: PreferenceName): string => `plimsoll.${name}`

export const isPreferenceKey = (key: string | null): boolean =>
  PREFERENCE_NAMES.some((name) => preferenceKey(name) === key)

/** Absent if nothing was chosen, or the browser refuses the storage. */
export function storedPreference<Value extends string>(
  name: PreferenceName,
  isValue: (stored: string) => stored is Value,
): Value | undefined {
  try {
    const stored = localStorage.getItem(preferenceKey(name))
    return stored !== null && isValue(stored) ? stored : undefined
  } catch {
    return undefined
  }
}

/** @param value absent: removes the preference */
export function storePreference(name: PreferenceName, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(preferenceKey(name))
    else localStorage.setItem(preferenceKey(name), value)
  } catch {
    // The browser refuses the storage: the preference lasts as long as the page.
  }
  notePreferences()
}

const YEAR_SECONDS = 31_536_000

/** With this cookie the server holds the first paint until src/web/app/start.js has set preferences. */
export function notePreferences(): void {
  const isAny = PREFERENCE_NAMES.some(
    (name) => storedPreference(name, (value): value is string => value !== '') !== undefined,
  )
  const { origin } = location
  const name = choicesCookieName(origin)
  const secure = plainCookiePrefix(origin) === undefined ? 'Secure; ' : ''
  const isNoted = document.cookie.includes(`${name}=`)
  if (isAny || isNoted)
    document.cookie = `${name}=1; Path=/; ${secure}SameSite=Lax; Max-Age=${isAny ? YEAR_SECONDS : 0}`
}

/** Absent: the browser decides. */
export const storedLanguage = (): Language | undefined => storedPreference('language', isLanguage)

/** The language that the storage and the browser's own list ask for. */
export const chosenLanguage = (): Language => languageOfChoice(storedLanguage())

export type Theme = 'light' | 'dark'
const isTheme = (name: string): name is Theme => name === 'light' || name === 'dark'

/** Absent: the system decides. */
export const storedTheme = (): Theme | undefined => storedPreference('theme', isTheme)
