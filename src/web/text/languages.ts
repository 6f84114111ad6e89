/** The languages of the page: each has a row here and a folder beside this file. */
import type { RecordText, SharedText, SidePagesText, SignedInText } from './dictionary.ts'

interface LanguageRow {
  /** Its own name. */
  name: string
  sentenceGap: string
  // Separate files, so that a page loads one language, and of it what it shows.
  shared: () => Promise<SharedText>
  signedIn: () => Promise<SignedInText>
  record: () => Promise<RecordText>
  sidePages: () => Promise<SidePagesText>
}

export const LANGUAGES = {
  en: {
    name: 'English',
    sentenceGap: ' ',
    shared: () => import('./en/shared.ts').then(({ shared }) => shared),
    signedIn: () => import('./en/signed-in.ts').then(({ signedIn }) => signedIn),
    record: () => import('./en/record.ts').then(({ record }) => record),
    sidePages: () => import('./en/side-pages.ts').then(({ sidePages }) => sidePages),
  },
  ja: {
    name: '日本語',
    sentenceGap: '',
    shared: () => import('./ja/shared.ts').then(({ shared }) => shared),
    signedIn: () => import('./ja/signed-in.ts').then(({ signedIn }) => signedIn),
    record: () => import('./ja/record.ts').then(({ record }) => record),
    sidePages: () => import('./ja/side-pages.ts').then(({ sidePages }) => sidePages),
  },
} satisfies Record<string, LanguageRow>
export type Language = keyof typeof LANGUAGES
