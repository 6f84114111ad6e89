/** The type of a dictionary: every text of the English one, so that a missing text does not compile. */
import type { shared } from './en/shared.ts'
import type { sidePages } from './en/side-pages.ts'
import type { signedIn } from './en/signed-in.ts'

/** The texts of every page. */
export type SharedText = typeof shared
/** The further texts of a signed-in person's pages. */
export type SignedInText = typeof signedIn
/** The texts of the side pages. */
export type SidePagesText = typeof sidePages
