/** One dictionary for each language, in parts that are loaded when they are needed. */
import type { RecordText, SharedText, SidePagesText, SignedInText } from './dictionary.ts'
import { setLocale } from './language.ts'
import { type Language, LANGUAGES, type LoadedTexts, type Texts } from './languages.ts'

interface Part<Text> {
  load: (language: Language) => Promise<Text>
  loaded: Map<Language, Text>
  /** True if the part is needed in the language in use. */
  isWanted: boolean
}
const part = <Name extends keyof Texts>(name: Name, isWanted = false): Part<Texts[Name]> => ({
  load: async (language) => (await (LANGUAGES[language] as LoadedTexts)[name]())[name],
  loaded: new Map(),
  isWanted,
})

const shared = part('shared', true)
const signedIn = part('signedIn')
const record = part('record')
const sidePages = part('sidePages')
const PARTS: readonly Part<unknown>[] = [shared, signedIn, record, sidePages]
let language: Language | undefined

/** Read texts while rendering: a change of the language renders the whole page again. */
export const text = (): SharedText => inUse(shared)

export const signedInText = (): SignedInText => inUse(signedIn)

export const recordText = (): RecordText => inUse(record)

export const sidePagesText = (): SidePagesText => inUse(sidePages)

function inUse<Text>({ loaded }: Part<Text>): Text {
  const dictionary = language && loaded.get(language)
  if (dictionary === undefined) throw new Error('The dictionary is not loaded yet.')
  return dictionary
}

/** If it rejects, the former language stays. @param onUse sets the language of dates and of the document */
export async function loadLanguage(wanted: Language, onUse = setLocale): Promise<void> {
  const missing = () => PARTS.filter(({ isWanted, loaded }) => isWanted && !loaded.has(wanted))
  // More parts may be wanted by the time the first ones have come.
  for (let parts = missing(); parts.length > 0; parts = missing())
    await Promise.all(parts.map((one) => load(one, wanted)))
  putInUse(wanted, onUse)
}

/** Its texts must be loaded. */
export function putInUse(wanted: Language, onUse = setLocale): void {
  language = wanted
  onUse(wanted)
}

export const loadSignedInText = (): Promise<void> => want(signedIn)

export const loadRecordText = (): Promise<void> => want(record)

export const loadSidePagesText = (): Promise<void> => want(sidePages)

async function want<Text>(part: Part<Text>): Promise<void> {
  part.isWanted = true
  if (language === undefined || part.loaded.has(language)) return
  await load(part, language)
  // Another language may be in use by now.
  await want(part)
}

async function load<Text>(part: Part<Text>, wanted: Language): Promise<void> {
  part.loaded.set(wanted, await part.load(wanted))
}
