/** The languages of the page: which one is in use, and its locale for dates and numbers. */

/** Each by its own name. */
export const LANGUAGES = { en: 'English', ja: '日本語' } as const
export type Language = keyof typeof LANGUAGES

const STORED = 'plimsoll.language'
const isLanguage = (name: unknown): name is Language =>
  typeof name === 'string' && Object.hasOwn(LANGUAGES, name)
const languageOf = (tag: string): string => tag.split('-')[0]?.toLowerCase() ?? ''

/** The person's choice, else the first of the browser's languages that there is, else English. */
export const chosenLanguage = (): Language =>
  storedLanguage() ?? navigator.languages.map(languageOf).find(isLanguage) ?? 'en'

/** What the person has chosen in this browser; absent: the browser decides. */
export function storedLanguage(): Language | undefined {
  try {
    const stored = localStorage.getItem(STORED)
    return isLanguage(stored) ? stored : undefined
  } catch {
    // Storage is refused: the browser's list decides.
    return undefined
  }
}

/** Stores the person's choice; where storage is refused it lasts as long as the page. */
export function storeLanguage(language: Language | undefined): void {
  try {
    if (language === undefined) localStorage.removeItem(STORED)
    else localStorage.setItem(STORED, language)
  } catch {
    // It lasts as long as the page.
  }
}

let locale: string | undefined

/** Some browsers have names of their system that are no tags, as `en-US@posix`. */
function isTag(name: string): boolean {
  try {
    return Intl.getCanonicalLocales(name).length > 0
  } catch {
    return false
  }
}

/** The locale of dates and numbers (BCP 47): the person's own form of the language, as `en-GB`, where the browser names one. */
export function setLocale(language: Language): void {
  locale = navigator.languages.find((tag) => languageOf(tag) === language && isTag(tag)) ?? language
  document.documentElement.lang = language
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** An instant, UNIX milliseconds, in the reader's language and zone unless the options name one. */
export function dateText(atMs: number, options: Intl.DateTimeFormatOptions): string {
  const key = `${locale} ${JSON.stringify(options)}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options)
  formats.set(key, format)
  return format.format(atMs)
}

/** A number, with the separators of the reader's language. */
export const numberText = (value: number): string => new Intl.NumberFormat(locale).format(value)
