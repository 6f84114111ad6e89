/** What a language has to have: every text of the English dictionary, so that a missing one does not compile. */
import type { shared } from './en/shared.ts'
import type { sidePages } from './en/side-pages.ts'
import type { signedIn } from './en/signed-in.ts'

/** The texts of every page. */
export type SharedText = typeof shared
/** The texts of the pages of a signed-in person beside those. */
export type SignedInText = typeof signedIn
/** The texts of the pages beside that of the organization. */
export type SidePagesText = typeof sidePages
