/** The languages of the page: each has a row here and a folder beside this file. */
import type { RecordText, SharedText, SidePagesText, SignedInText } from './dictionary.ts'

/** The parts of a dictionary. */
export interface Texts {
  shared: SharedText
  signedIn: SignedInText
  record: RecordText
  sidePages: SidePagesText
}

/** Separate files, so that a page loads one language, and of it what it shows. */
export type LoadedTexts = { [Name in keyof Texts]: () => Promise<{ [Of in Name]: Texts[Name] }> }

interface LanguageRow extends LoadedTexts {
  /** Its own name. */
  name: string
  sentenceGap: string
}

export const LANGUAGES = {
  en: {
    name: 'English',
    sentenceGap: ' ',
    shared: () => import('./en/shared.ts'),
    signedIn: () => import('./en/signed-in.ts'),
    record: () => import('./en/record.ts'),
    sidePages: () => import('./en/side-pages.ts'),
  },
  ja: {
    name: '日本語',
    sentenceGap: '',
    shared: () => import('./ja/shared.ts'),
    signedIn: () => import('./ja/signed-in.ts'),
    record: () => import('./ja/record.ts'),
    sidePages: () => import('./ja/side-pages.ts'),
  },
} satisfies Record<string, LanguageRow>
export type Language = keyof typeof LANGUAGES
