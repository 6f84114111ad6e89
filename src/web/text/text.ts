/** The dictionaries of the page, one for each language, each in parts that are loaded when they are needed. */
import type { SharedText, SidePagesText, SignedInText } from './dictionary.ts'
import { type Language, setLocale } from './language.ts'

interface Part<Text> {
  load: Record<Language, () => Promise<Text>>
  loaded: Map<Language, Text>
  /** In whatever language is in use. */
  isWanted: boolean
}
const part = <Text>(load: Part<Text>['load']): Part<Text> => ({ load, loaded: new Map(), isWanted: false })

// A file each, so that a page loads one language only, and of it what it shows.
const shared: Part<SharedText> = {
  ...part({
    en: () => import('./en/shared.ts').then(({ shared }) => shared),
    ja: () => import('./ja/shared.ts').then(({ shared }) => shared),
  }),
  isWanted: true,
}
const signedIn: Part<SignedInText> = part({
  en: () => import('./en/signed-in.ts').then(({ signedIn }) => signedIn),
  ja: () => import('./ja/signed-in.ts').then(({ signedIn }) => signedIn),
})
const sidePages: Part<SidePagesText> = part({
  en: () => import('./en/side-pages.ts').then(({ sidePages }) => sidePages),
  ja: () => import('./ja/side-pages.ts').then(({ sidePages }) => sidePages),
})
const PARTS: readonly Part<unknown>[] = [shared, signedIn, sidePages]
let language: Language | undefined

/** The texts of every page, in the language in use. Read it where it is shown: with another language the whole page is rendered again. */
export const text = (): SharedText => inUse(shared)

/** The texts of the pages of a signed-in person beside those. */
export const signedInText = (): SignedInText => inUse(signedIn)

/** The texts of the pages beside that of the organization. */
export const sidePagesText = (): SidePagesText => inUse(sidePages)

function inUse<Text>({ loaded }: Part<Text>): Text {
  const dictionary = language && loaded.get(language)
  if (dictionary === undefined) throw new Error('The dictionary is not loaded yet.')
  return dictionary
}

/**
 * Loads a language and puts it in use, both at once. Rejects where the server is not reached; then the former one stays in use.
 * @param onUse sets it for dates and for the document
 */
export async function loadLanguage(wanted: Language, onUse = setLocale): Promise<void> {
  const missing = () => PARTS.filter(({ isWanted, loaded }) => isWanted && !loaded.has(wanted))
  // More may be wanted by the time that the first ones are there.
  for (let parts = missing(); parts.length > 0; parts = missing())
    await Promise.all(parts.map((one) => load(one, wanted)))
  putInUse(wanted, onUse)
}

/** Puts a language in use whose texts were loaded. */
export function putInUse(wanted: Language, onUse = setLocale): void {
  language = wanted
  onUse(wanted)
}

/** Loads the texts of a signed-in person, in the language that is in use by then. */
export const loadSignedInText = (): Promise<void> => want(signedIn)

/** Loads the texts of the pages beside that of the organization, in the language that is in use by then. */
export const loadSidePagesText = (): Promise<void> => want(sidePages)

async function want<Text>(part: Part<Text>): Promise<void> {
  part.isWanted = true
  if (language === undefined || part.loaded.has(language)) return
  await load(part, language)
  // Another one may be in use by now.
  await want(part)
}

async function load<Text>(part: Part<Text>, wanted: Language): Promise<void> {
  part.loaded.set(wanted, await part.load[wanted]())
}
