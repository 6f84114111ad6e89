/** What a person has chosen in this browser: for this tab, the other tabs and the next start of the page. What was not chosen is not stored. */
import { useEffect, useLayoutEffect } from 'react'
import { create } from 'zustand'
import { isChoiceKey, noteChoices, storedChoice, storeChoice } from './stored-choice.ts'
import { storedLanguage, storeLanguage } from './language.ts'
import { type Language, languageOfChoice } from '../text/language.ts'
import { loadLanguage } from '../text/text.ts'
import { applyTheme, storedTheme, storeTheme, type Theme } from './theme.ts'
import { useUi } from '../lib/ui.ts'

export interface Preferences {
  language: Language | undefined
  theme: Theme | undefined
  /** Absent: there are keyboard shortcuts. */
  shortcuts: 'off' | undefined
}

const isOff = (value: string): value is 'off' => value === 'off'

const stored = (): Preferences => ({
  language: storedLanguage(),
  theme: storedTheme(),
  shortcuts: storedChoice('shortcuts', isOff),
})

function store({ language, theme, shortcuts }: Preferences): void {
  storeLanguage(language)
  storeTheme(theme)
  storeChoice('shortcuts', shortcuts)
}

export const usePreferences = create<Preferences>(stored)

function apply(choice: Partial<Preferences>): void {
  usePreferences.setState(choice)
  applyTheme(usePreferences.getState().theme)
}

/** A choice that needs nothing of the server. */
export function choose(choice: Partial<Omit<Preferences, 'language'>>): void {
  apply(choice)
  store(usePreferences.getState())
}

/** Rejects where the texts cannot be loaded; then the former choice stays. */
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
  store(usePreferences.getState())
}

/** Shows the whole page in the language that is chosen by the time its texts are there. */
async function showLanguage(): Promise<void> {
  const language = languageOfChoice(usePreferences.getState().language)
  await loadLanguage(language)
  if (languageOfChoice(usePreferences.getState().language) !== language) return showLanguage()
  useUi.setState({ language })
}

/** Takes over what other tabs choose, and stores the choices again after a sign-out, whose answer clears the storage. */
export function usePreferenceGuard(): void {
  const isSignedOut = useUi(({ signOut }) => signOut?.kind === 'done')
  useLayoutEffect(() => {
    apply(stored())
    noteChoices()
    const follow = ({ key }: StorageEvent): void => {
      // Without a key the storage was cleared: that is no choice.
      if (!isChoiceKey(key)) return
      const { language, ...rest } = stored()
      apply(rest)
      if (language !== usePreferences.getState().language) void chooseLanguage(language).catch(() => {})
    }
    addEventListener('storage', follow)
    return () => removeEventListener('storage', follow)
  }, [])
  useEffect(() => {
    if (isSignedOut) store(usePreferences.getState())
  }, [isSignedOut])
}
