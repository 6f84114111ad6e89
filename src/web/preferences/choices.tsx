import { useState } from 'react'
import styles from './footer.module.css'
import { choose, chooseLanguage, usePreferences } from './preferences.ts'
import { type Language, LANGUAGES } from '../text/languages.ts'
import { text } from '../text/text.ts'
import type { Theme } from './storage.ts'

/** Typed text and the focus stay. */
export function LanguageChoice() {
  const t = text().preferences
  const language = usePreferences((preferences) => preferences.language)
  const [failed, setFailed] = useState(false)
  const change = (value: string): void => {
    setFailed(false)
    chooseLanguage((value || undefined) as Language | undefined).catch(() => setFailed(true))
  }
  return (
    <>
      <label className={styles.choice}>
        {t.language}
        <select value={language ?? ''} onChange={({ target }) => change(target.value)}>
          <option value="">{t.automatic}</option>
          {Object.entries(LANGUAGES).map(([tag, { name }]) => (
            <option key={tag} value={tag} lang={tag}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {failed && <p role="alert">{t.notLoaded}</p>}
    </>
  )
}

export function ThemeChoice() {
  const t = text().preferences
  const theme = usePreferences((preferences) => preferences.theme)
  return (
    <label className={styles.choice}>
      {t.theme}
      <select
        value={theme ?? ''}
        onChange={({ target }) => choose({ theme: (target.value || undefined) as Theme | undefined })}
      >
        <option value="">{t.automatic}</option>
        <option value="light">{t.themes.light}</option>
        <option value="dark">{t.themes.dark}</option>
      </select>
    </label>
  )
}
