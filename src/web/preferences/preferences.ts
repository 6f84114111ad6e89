/** A person's choices in this browser: for this tab, the other tabs and every later page. */
import { useLayoutEffect, useSyncExternalStore } from 'react'
import { createStore } from 'zustand/vanilla'
import { type Choices, type Theme, readChoices, writeChoices } from '../../contract/choices.ts'
import { late } from '../lib/late.ts'
import { useUi } from '../lib/ui.ts'
import { isLanguage, languageOfChoice } from '../text/languages.ts'
import { loadLanguage } from '../text/text.ts'
import { choicesCookieName, plainCookiePrefix } from '../../contract/cookie-name.ts'

export type Preferences = Pick<Choices, 'language' | 'theme'>

export const preferences = createStore<Preferences>(() => ({}))

/** The server and the page that takes over draw the same, those of the cookie. */
export function usePreference<Name extends keyof Preferences>(name: Name): Preferences[Name] {
  const chosen = (): Preferences[Name] => preferences.getState()[name]
  return useSyncExternalStore(preferences.subscribe, chosen, chosen)
}

/** Includes the browser's bars around the page. */
export function applyTheme(theme: Theme | undefined): void {
  const { dataset } = document.documentElement
  if (theme === undefined) delete dataset['theme']
  else dataset['theme'] = theme
  for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
    const of = meta.getAttribute('data-theme')
    // oxlint-disable-next-line plimsoll/texts-in-dictionaries -- a media query
    const isShown = theme === of ? 'all' : 'not all'
    meta.setAttribute('media', theme === undefined ? `(prefers-color-scheme: ${of})` : isShown)
  }
}

export function chooseTheme(theme: Theme | undefined): void {
  preferences.setState({ theme })
  applyTheme(theme)
  tell({ theme })
}

/** Rejects if the texts cannot be loaded; then the former choice stays. */
export async function chooseLanguage(language: string | undefined): Promise<void> {
  await showLanguage(language)
  if (preferences.getState().language === language) tell({ language })
}

async function showLanguage(language: string | undefined): Promise<void> {
  const { language: former } = preferences.getState()
  preferences.setState({ language })
  const isLast = (): boolean => preferences.getState().language === language
  try {
    await late(loadLanguage(languageOfChoice(language)))
  } catch (error) {
    if (!isLast()) return
    preferences.setState({ language: former })
    throw error
  }
  // Another one may have been chosen by now, whose texts came first.
  if (isLast()) useUi.setState({ language: languageOfChoice(language) })
  else await loadLanguage(languageOfChoice(preferences.getState().language))
}

// One channel sends and receives, because a tab does not get its own messages.
const otherTabs = new BroadcastChannel('plimsoll.choices')

function tell(changed: Preferences): void {
  storeChoices(changed)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no such argument
  otherTabs.postMessage(changed)
}

/** Takes over other tabs' choices. */
export function usePreferenceGuard(): void {
  useLayoutEffect(() => {
    const follow = ({ data }: MessageEvent<Preferences>): void => {
      if ('language' in data) void showLanguage(data.language).catch(() => {})
      if (!('theme' in data)) return
      preferences.setState(data)
      applyTheme(data.theme)
    }
    otherTabs.addEventListener('message', follow)
    return () => otherTabs.removeEventListener('message', follow)
  }, [])
}

/** Before the first drawing. */
export function startPreferences({ language = '', theme }: Choices = storedChoices()): void {
  preferences.setState({ language: isLanguage(language) ? language : undefined, theme }, true)
}

const YEAR_SECONDS = 31_536_000

export function storedChoices(): Choices {
  const name = `${choicesCookieName(location.origin)}=`
  const pair = document.cookie.split('; ').find((one) => one.startsWith(name))
  return readChoices(pair?.slice(name.length))
}

/** Those that are not named stay. */
export function storeChoices(changed: Choices): void {
  const { origin } = location
  const value = writeChoices({ ...storedChoices(), ...changed })
  const secure = plainCookiePrefix(origin) === undefined ? 'Secure; ' : ''
  const attributes = `Path=/; ${secure}SameSite=Lax; Max-Age=${YEAR_SECONDS}`
  document.cookie = `${choicesCookieName(origin)}=${value}; ${attributes}`
}
