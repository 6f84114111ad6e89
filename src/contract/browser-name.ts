/** The name that a person chooses for a browser, such as `Aya, office`. */
import { closedObject } from './closed-object.ts'
import type { Fault } from './fault.ts'
import { Problem } from './problem.ts'

/** In code points. */
export const MOST_NAME_LENGTH = 40

/** Body of `PUT /bff/browser`. An empty name stands for the coarse one. */
export interface BrowserNameRequest {
  name: string
}

/** An emoji may hold a joiner and a variation selector. */
const EMOJI =
  /\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?(?:\u200D\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?)*/gu
/** Line breaks, what turns or hides text, and marks without a letter or in a pile that covers other lines. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|^\p{M}|\p{M}{5}/u

const TOO_LONG = new RegExp(`.{${MOST_NAME_LENGTH + 1}}`, 'su')

/** Composed (NFC), without blanks around it. */
export const trimmedName = (typed: string): string => typed.normalize('NFC').trim()

type NameFault = Extract<Fault, 'name_has_hidden_characters' | 'name_too_long'>

/** @param name as from {@link trimmedName} @returns the reason why nobody may choose it */
export function nameFault(name: string): NameFault | undefined {
  if (HIDDEN.test(name.replaceAll(EMOJI, '_'))) return 'name_has_hidden_characters'
  return TOO_LONG.test(name) ? 'name_too_long' : undefined
}

/** @throws Problem `invalid_request` for any other body, and for a name with a {@link nameFault} */
export function parseBrowserNameRequest(body: unknown): BrowserNameRequest {
  const invalid = (fault: Fault) => new Problem('invalid_request', { fault })
  const { name: given } = closedObject(body, ['name'])
  if (typeof given !== 'string') throw invalid('value_not_a_string')
  const name = trimmedName(given)
  const fault = nameFault(name)
  if (fault !== undefined) throw invalid(fault)
  return { name }
}
