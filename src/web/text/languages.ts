/** The languages of the page. Each has a row here, and a folder beside this file with the same files as `en`. */
import type { first } from './en/first.ts'
import type { home } from './en/home.ts'
import type { pages } from './en/pages.ts'

/** Every text of the English dictionary, so that a missing text does not compile. */
export type FirstText = typeof first
export type HomeText = typeof home
export type PagesText = typeof pages

/** The parts of a dictionary are separate files, so that a page loads one language, and of it what it shows. */
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
export const languageOfChoice = (choice: Language | undefined): Language =>
  choice ?? navigator.languages.map(languageOf).find(isLanguage) ?? 'en'
