/** The words of the page in the language in use. All but those of the first page are loaded when needed. */
import { setLocale } from './format.ts'
import {
  type FirstText,
  type HomeText,
  type Language,
  LANGUAGES,
  type PagesText,
  type Part,
} from './languages.ts'

type Dictionary = FirstText & HomeText & PagesText
/** What is loaded of each language: every part adds its members. */
const dictionaries = new Map<Language, Dictionary>()
const loaded = new Set<string>()
const wanted = new Set<Part>(['first'])
let language: Language | undefined

/** The words of every page. Read them while rendering: another language renders the whole page again. */
export const text = (): FirstText => inUse()

/** All other words, of the parts that {@link loadWords} has loaded. */
export const words = (): HomeText & PagesText => inUse()

function inUse(): Dictionary {
  const dictionary = language && dictionaries.get(language)
  if (dictionary === undefined) throw new Error('The dictionary is not loaded yet.')
  return dictionary
}

/** If it rejects, the former language stays. @param locale the reader's own form of the language */
export async function loadLanguage(of: Language, locale?: string): Promise<void> {
  await loadWanted(of)
  putInUse(of, locale)
  document.documentElement.lang = of
}

/** Its texts must be loaded. */
export function putInUse(of: Language, locale?: string): void {
  language = of
  setLocale(of, locale)
}

/** Loads every language and part, for a server that draws for all readers. */
export async function loadAll(): Promise<void> {
  for (const part of ['home', 'pages'] as const) wanted.add(part)
  await Promise.all((Object.keys(LANGUAGES) as Language[]).map(loadWanted))
}

/** Loads a part in the language in use, and from now on in every other one that comes into use. */
export async function loadWords(part: Part): Promise<void> {
  wanted.add(part)
  const of = language
  if (of === undefined) return
  await loadWanted(of)
  // Another language may be in use by now.
  if (of !== language) await loadWords(part)
}

async function loadWanted(of: Language): Promise<void> {
  const missing = (): Part[] => [...wanted].filter((part) => !loaded.has(`${of} ${part}`))
  // More parts may be wanted by the time the first ones have come.
  for (let parts = missing(); parts.length > 0; parts = missing())
    await Promise.all(parts.map((part) => load(part, of)))
}

async function load(part: Part, of: Language): Promise<void> {
  const { [part]: added }: Partial<Record<Part, object>> = await LANGUAGES[of][part]()
  dictionaries.set(of, Object.assign(dictionaries.get(of) ?? {}, added) as Dictionary)
  loaded.add(`${of} ${part}`)
}
