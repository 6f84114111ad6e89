import { useLayoutEffect, useRef, useState } from 'react'
import type { Theme } from '../../contract/choices.ts'
import { chooseLanguage, chooseTheme, usePreference } from './preferences.ts'
import { LANGUAGES } from '../text/languages.ts'
import { text } from '../text/text.ts'
import styles from './footer.module.css'

interface ChoiceProps {
  label: string
  chosen: string | undefined
  choose: (value: string) => void
  /** Value, name, and its language if that is another one. */
  options: readonly (readonly [value: string, name: string, lang?: string])[]
}

/** A choice that a person made before the script was there holds. */
function Choice({ label, chosen = '', choose, options }: ChoiceProps) {
  const select = useRef<HTMLSelectElement>(null)
  useLayoutEffect(() => {
    const { value } = select.current ?? {}
    if (value !== undefined && value !== chosen) choose(value)
    // oxlint-disable-next-line react/exhaustive-deps -- only what was chosen before the first drawing
  }, [])
  return (
    <label className="choice">
      {label}
      <select ref={select} value={chosen} onChange={({ target }) => choose(target.value)}>
        <option value="">{text().preferences.automatic}</option>
        {options.map(([value, name, lang]) => (
          <option key={value} value={value} lang={lang}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Typed text and the focus stay. */
export function LanguageChoice() {
  const t = text().preferences
  const [failed, setFailed] = useState(false)
  const choose = (value: string): void => {
    setFailed(false)
    chooseLanguage(value || undefined).catch(() => setFailed(true))
  }
  const options = Object.entries(LANGUAGES).map(([tag, { name }]) => [tag, name, tag] as const)
  return (
    <>
      <Choice label={t.language} chosen={usePreference('language')} choose={choose} options={options} />
      {failed && <p role="alert">{t.notLoaded}</p>}
    </>
  )
}

export function ThemeChoice() {
  const { theme: label, themes } = text().preferences
  const choose = (value: string): void => chooseTheme((value || undefined) as Theme | undefined)
  const options = Object.entries(themes)
  return <Choice label={label} chosen={usePreference('theme')} choose={choose} options={options} />
}

/** Stays mounted while the page above it changes. */
export const Footer = () => (
  <footer className={styles.footer}>
    <LanguageChoice />
    <ThemeChoice />
  </footer>
)
