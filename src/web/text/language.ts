/** The languages of the page: which one is in use, and its locale for dates and numbers. */

/** Each by its own name. */
export const LANGUAGES = { en: 'English', ja: '日本語' } as const
export type Language = keyof typeof LANGUAGES

export const isLanguage = (name: string): name is Language => Object.hasOwn(LANGUAGES, name)
const languageOf = (tag: string): string => tag.split('-')[0]?.toLowerCase() ?? ''

/** A person's choice; where none was made the first of the browser's languages that there is, else English. */
export const languageOfChoice = (choice: Language | undefined): Language =>
  choice ?? navigator.languages.map(languageOf).find(isLanguage) ?? 'en'

/** A browser may name what is no tag, such as `en-US@posix`. */
function isLocale(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0
  } catch {
    return false
  }
}

let locale: string | undefined

/** The locale of dates and numbers (BCP 47): the person's own form of the language, as `en-GB`, where the browser names one. */
export function setLocale(language: Language): void {
  locale = navigator.languages.find((tag) => languageOf(tag) === language && isLocale(tag)) ?? language
  document.documentElement.lang = language
  setSentenceGap(language)
}

/** For a page that the server draws, which knows neither the reader's form of the language nor their zone. */
export function setServerLocale(language: Language): void {
  locale = language
  dateMark = OF_ZONE
  setSentenceGap(language)
}

/** Before a date that another zone would have otherwise: from the private use area of Unicode. */
export const OF_ZONE = '\uE000'
let dateMark = ''

let gap = ' '

/** Japanese has no space between two sentences. */
function setSentenceGap(language: Language): void {
  gap = language === 'ja' ? '' : ' '
}

/** Between two sentences of the language in use. */
export const sentenceGap = (): string => gap

/** Sentences one after the other, without those that are empty. */
export const sentences = (...parts: readonly string[]): string => parts.filter(Boolean).join(sentenceGap())

const formats = new Map<string, Intl.DateTimeFormat>()

/** An instant, UNIX milliseconds, in the reader's language and zone unless the options name one. */
export function dateText(atMs: number, options: Intl.DateTimeFormatOptions): string {
  const key = `${locale} ${JSON.stringify(options)}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options)
  formats.set(key, format)
  return dateMark + format.format(atMs)
}

/** A number, with the separators of the reader's language. */
export const numberText = (value: number): string => new Intl.NumberFormat(locale).format(value)
