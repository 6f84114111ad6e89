/** The languages of the page. Each has a row here, and beside this file a folder with the files of `en`. */
import type { first } from './en/first.ts'
import type { home } from './en/home.ts'
import type { pages } from './en/pages.ts'

/** Every text of the English dictionary, so that a missing text does not compile. */
export type FirstText = typeof first
export type HomeText = typeof home
export type PagesText = typeof pages

/** The parts of a dictionary are separate files, so that a page loads only what it shows in one language. */
interface Parts {
  first: () => Promise<{ first: FirstText }>
  home: () => Promise<{ home: HomeText }>
  pages: () => Promise<{ pages: PagesText }>
}
export type Part = keyof Parts

export interface LanguageRow extends Parts {
  /** Its own name. */
  name: string
  sentenceGap: string
  /** Where an age has no number yet. */
  justNow: string
}

export const LANGUAGES = {
  en: {
    name: 'English',
    sentenceGap: ' ',
    justNow: 'just now',
    first: () => import('./en/first.ts'),
    home: () => import('./en/home.ts'),
    pages: () => import('./en/pages.ts'),
  },
  ja: {
    name: '日本語',
    sentenceGap: '',
    justNow: 'たった今',
    first: () => import('./ja/first.ts'),
    home: () => import('./ja/home.ts'),
    pages: () => import('./ja/pages.ts'),
  },
} satisfies Record<string, LanguageRow>
export type Language = keyof typeof LANGUAGES

export const isLanguage = (name: string): name is Language => Object.hasOwn(LANGUAGES, name)

export const languageOf = (tag: string): string => tag.split('-')[0]?.toLowerCase() ?? ''

/** A person's choice. Without one, the first of the browser's languages that the page has, else English. */
export const languageOfChoice = (choice = '', tags = navigator.languages): Language =>
  isLanguage(choice) ? choice : (tags.map(languageOf).find(isLanguage) ?? 'en')

/** The person's own form of the language (BCP 47), such as `en-GB`, if the browser names one. */
export const localeOf = (language: Language, tags: readonly string[]): string =>
  tags.find((tag) => languageOf(tag) === language && isLocale(tag)) ?? language

/** A browser may give a name that is no language tag, such as `en-US@posix`. */
function isLocale(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0
  } catch {
    return false
  }
}
