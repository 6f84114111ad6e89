/** Every text of the English dictionary, so that a missing text does not compile. */
import type { record } from './en/record.ts'
import type { shared } from './en/shared.ts'
import type { sidePages } from './en/side-pages.ts'
import type { signedIn } from './en/signed-in.ts'

/** The texts of every page. */
export type SharedText = typeof shared
/** The further texts of a signed-in person's pages. */
export type SignedInText = typeof signedIn
/** The texts of the tree of all fields. */
export type RecordText = typeof record
export type SidePagesText = typeof sidePages
