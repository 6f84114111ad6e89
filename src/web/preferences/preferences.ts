/** A person's choices in this browser: for this tab, the other tabs and the next start of the page. */
import { useLayoutEffect } from 'react'
import { create } from 'zustand'
import {
  isPreferenceKey,
  notePreferences,
  storedLanguage,
  storedTheme,
  storePreference,
  type Theme,
} from './storage.ts'
import { type Language, languageOfChoice } from '../text/languages.ts'
import { loadLanguage } from '../text/text.ts'
import { late } from '../lib/late.ts'
import { useUi } from '../lib/ui.ts'

export interface Preferences {
  language: Language | undefined
  theme: Theme | undefined
}

const stored = (): Preferences => ({
  language: storedLanguage(),
  theme: storedTheme(),
})

function storeAll({ language, theme }: Preferences): void {
  storePreference('language', language)
  storePreference('theme', theme)
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

export const usePreferences = create<Preferences>(stored)

function apply(choice: Partial<Preferences>): void {
  usePreferences.setState(choice)
  applyTheme(usePreferences.getState().theme)
}

/** For a choice that needs nothing of the server. */
export function choose(choice: Partial<Omit<Preferences, 'language'>>): void {
  apply(choice)
  storeAll(usePreferences.getState())
}

/** Rejects if the texts cannot be loaded; then the former choice stays. */
export async function chooseLanguage(language: Language | undefined): Promise<void> {
  const { language: former } = usePreferences.getState()
  usePreferences.setState({ language })
  try {
    await showLanguage()
  } catch (error) {
    if (usePreferences.getState().language !== language) return
    usePreferences.setState({ language: former })
    throw error
  }
  storeAll(usePreferences.getState())
}

/** Shows the language that is chosen by the time its texts have come. */
async function showLanguage(): Promise<void> {
  const language = languageOfChoice(usePreferences.getState().language)
  await late(loadLanguage(language))
  if (languageOfChoice(usePreferences.getState().language) !== language) return showLanguage()
  useUi.setState({ language })
}

/** Stores all choices again, after something has cleared the storage. */
export const storeChoices = (): void => storeAll(usePreferences.getState())

/** Takes over other tabs' choices. */
export function usePreferenceGuard(): void {
  useLayoutEffect(() => {
    apply(stored())
    notePreferences()
    const follow = ({ key }: StorageEvent): void => {
      // An event without a key means that the storage was cleared: no choice.
      if (!isPreferenceKey(key)) return
      const { language, ...rest } = stored()
      apply(rest)
      if (language !== usePreferences.getState().language) void chooseLanguage(language).catch(() => {})
    }
    addEventListener('storage', follow)
    return () => removeEventListener('storage', follow)
  }, [])
}
