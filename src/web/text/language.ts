/** The language in use: its locale for dates and numbers, and the gap between its sentences. */
import { type Language, LANGUAGES } from './languages.ts'

export const isLanguage = (name: string): name is Language => Object.hasOwn(LANGUAGES, name)
const languageOf = (tag: string): string => tag.split('-')[0]?.toLowerCase() ?? ''

/** A person's choice. Without one, the first of the browser's languages that the page has, else English. */
export const languageOfChoice = (choice: Language | undefined): Language =>
  choice ?? navigator.languages.map(languageOf).find(isLanguage) ?? 'en'

/** A browser may give a name that is no language tag, such as `en-US@posix`. */
function isLocale(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0
  } catch {
    return false
  }
}

let locale: string | undefined
let gap = ' '

/** The person's own form of the language (BCP 47), such as `en-GB`, if the browser names one. */
export function setLocale(language: Language): void {
  locale = navigator.languages.find((tag) => languageOf(tag) === language && isLocale(tag)) ?? language
  document.documentElement.lang = language
  gap = LANGUAGES[language].sentenceGap
}

/** For a page drawn by the server, which knows neither the reader's form of the language nor their zone. */
export function setServerLocale(language: Language): void {
  locale = language
  dateMark = OF_ZONE
  gap = LANGUAGES[language].sentenceGap
}

/** A mark before each date that depends on the zone, from the private use area of Unicode. */
export const OF_ZONE = '\uE000'
let dateMark = ''

export const sentenceGap = (): string => gap

/** Joins those that are not empty. */
export const sentences = (...parts: readonly string[]): string => parts.filter(Boolean).join(sentenceGap())

const formats = new Map<string, Intl.DateTimeFormat>()

/** An instant, UNIX milliseconds, in the reader's language and zone unless the options name one. */
export function dateText(atMs: number, options: Intl.DateTimeFormatOptions): string {
  const key = `${locale} ${JSON.stringify(options)}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options)
  formats.set(key, format)
  return dateMark + format.format(atMs)
}

/** With the separators of the reader's language. */
export const numberText = (value: number): string => new Intl.NumberFormat(locale).format(value)
