/** The dictionaries of the page, one for each language: what every page needs, and what only a signed-in one does. */
import type { SharedText, SignedInText } from './dictionary.ts'
import { type Language, setLocale } from './language.ts'

// A chunk each, so that a page loads one language only, and before the sign-in only a part of it.
const SHARED: Record<Language, () => Promise<SharedText>> = {
  en: () => import('./en/shared.ts').then(({ shared }) => shared),
  ja: () => import('./ja/shared.ts').then(({ shared }) => shared),
}
const SIGNED_IN: Record<Language, () => Promise<SignedInText>> = {
  en: () => import('./en/signed-in.ts').then(({ signedIn }) => signedIn),
  ja: () => import('./ja/signed-in.ts').then(({ signedIn }) => signedIn),
}

const shared = new Map<Language, SharedText>()
const signedIn = new Map<Language, SignedInText>()
let language: Language | undefined
/** Whether the texts of a signed-in person are wanted, in whatever language is in use. */
let isSignedInWanted = false

/** The texts of every page, in the language in use. Read it where it is shown: with another language the whole page is rendered again. */
export const text = (): SharedText => inUse(shared)

/** The texts of the pages of a signed-in person beside those. */
export const signedInText = (): SignedInText => inUse(signedIn)

function inUse<T>(dictionaries: Map<Language, T>): T {
  const dictionary = language && dictionaries.get(language)
  if (dictionary === undefined) throw new Error('The dictionary is not loaded yet.')
  return dictionary
}

/**
 * Loads a language and puts it in use, both at once. Rejects where the server is not reached; then the former one stays in use.
 * @param onUse sets it for dates and for the document
 */
export async function loadLanguage(wanted: Language, onUse = setLocale): Promise<void> {
  const [own] = await Promise.all([SHARED[wanted](), isSignedInWanted && loadSignedInIn(wanted)])
  // Wanted since then.
  if (isSignedInWanted && !signedIn.has(wanted)) await loadSignedInIn(wanted)
  shared.set(wanted, own)
  language = wanted
  onUse(wanted)
}

/** Loads the texts of a signed-in person, in the language that is in use by then. */
export async function loadSignedInText(): Promise<void> {
  isSignedInWanted = true
  const wanted = language
  if (wanted === undefined || signedIn.has(wanted)) return
  await loadSignedInIn(wanted)
  // Another one may be in use by now.
  await loadSignedInText()
}

async function loadSignedInIn(wanted: Language): Promise<void> {
  signedIn.set(wanted, await SIGNED_IN[wanted]())
}
