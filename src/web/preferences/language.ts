/** The language that a person has chosen in this browser. */
import { isLanguage, type Language, languageOfChoice } from '../text/language.ts'
import { storedChoice, storeChoice } from './stored-choice.ts'

/** The language that this browser's storage and its own list ask for. */
export const chosenLanguage = (): Language => languageOfChoice(storedLanguage())

/** What the person has chosen in this browser; absent: the browser decides. */
export const storedLanguage = (): Language | undefined => storedChoice('language', isLanguage)

/** Stores the person's choice; where storage is refused it lasts as long as the page. */
export const storeLanguage = (language: Language | undefined): void => storeChoice('language', language)
