/** A name that a person chooses: for a browser, such as `Aya, office`, or for a watch link. */
import type { Fault } from './fault.ts'

/** In code points. */
export const MOST_NAME_LENGTH = 40

// A joiner and a variation selector may be part of an emoji, and a non-joiner stands inside Persian words.
const PICTURE = /\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?/u.source
const KEYCAP = /[\d#*]\uFE0F?\u20E3/.source
const NON_JOINER = /(?<=\p{sc=Arab})\u200C(?=\p{sc=Arab})/u.source
const JOINED = new RegExp(`${PICTURE}(?:\\u200D${PICTURE})*|${KEYCAP}|${NON_JOINER}`, 'gu')
/** Line breaks, what turns or hides text, and marks without a letter or in a pile that covers other lines. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|^\p{M}|\p{M}{5}/u
const TOO_LONG = new RegExp(`.{${MOST_NAME_LENGTH + 1}}`, 'su')

/** Composed (NFC), without blanks around it. */
export const trimmedName = (typed: string): string => typed.normalize('NFC').trim()

type NameFault = Extract<Fault, 'name_has_hidden_characters' | 'name_too_long'>

/** @param name as from {@link trimmedName} @returns the reason why nobody may choose it */
export function nameFault(name: string): NameFault | undefined {
  if (HIDDEN.test(name.replaceAll(JOINED, '_'))) return 'name_has_hidden_characters'
  return TOO_LONG.test(name) ? 'name_too_long' : undefined
}

export const COARSE_BROWSERS = [
  'Edge',
  'Opera',
  'Brave',
  'Chrome',
  'Samsung Internet',
  'Firefox',
  'Safari',
] as const
export const COARSE_SYSTEMS = ['iPhone', 'iPad', 'Android', 'ChromeOS', 'Windows', 'Mac', 'Linux'] as const
/** Also for a client that is no browser. */
export const ANOTHER_BROWSER = 'Another browser'

const COARSE = new RegExp(
  `^(?:${ANOTHER_BROWSER}|(${COARSE_BROWSERS.join('|')})(?: on (${COARSE_SYSTEMS.join('|')}))?)$`,
)

/** The parts of a coarse name; {@link ANOTHER_BROWSER} has none. `undefined` for a chosen name. */
export function coarseParts(
  name: string,
): { [part in 'browser' | 'system']: string | undefined } | undefined {
  const found = COARSE.exec(name)
  return found ? { browser: found[1], system: found[2] } : undefined
}
