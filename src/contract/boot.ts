/** What the server drew a document from, as JSON in the document: the page takes it over. */
import type { Choices, Theme } from './choices.ts'
import type { QuotaSnapshot } from './quota.ts'
import type { Session } from './session.ts'

/** The id of the block. */
export const BOOT_ID = 'boot'

export interface Boot {
  language: string
  /** The reader's own form of the language (BCP 47), such as `en-GB`. */
  locale: string
  /** The time zone of the dates (IANA); absent if nothing was drawn with one. */
  zone?: string | undefined
  theme?: Theme | undefined
  /** The build of the server and of this page, as in the header of each answer. */
  build?: string | undefined
  /** Addresses of the style sheets that are in the document. */
  sheets?: readonly string[]
  /** The page takes over what was drawn. Otherwise it draws anew in that place. */
  isDrawn: boolean
  /** The server's time, UNIX milliseconds; absent in a document for everybody. */
  nowMs?: number | undefined
  /** Absent if the page must ask who is signed in. */
  session?: Session | undefined
  quota?: QuotaSnapshot | undefined
}

/**
 * A document by what it shows until its script runs. `sign-in`: the sign-in page. `page`: the page of an
 * organization, with its numbers. `person`: that the app is opening, for another page of somebody who is or
 * may be signed in. `frame`: the same for everybody.
 */
export type DocumentKind = 'sign-in' | 'page' | 'person' | 'frame'

/** What a document is drawn from. */
export interface View extends Pick<Boot, 'nowMs' | 'session' | 'quota'> {
  kind: DocumentKind
  /** Of the page. */
  path: string
  /** The languages that the browser accepts, the preferred one first. */
  languages: readonly string[]
  choices: Choices
}

/** A drawn document: what its root, its block, its title and its `noscript` element have. */
export interface Drawn {
  root: string
  /** In place of that, if the script or its words cannot be loaded: public/early.js puts it there. */
  failure: string
  boot: Boot
  title: string
  noScript: string
}
