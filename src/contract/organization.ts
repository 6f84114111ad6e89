/** The organization's id (5.3); what the organization's body looks like is not shown (4.4), so nothing here reads it. */
import { Problem } from './problem.ts'

/** A positive whole number as its digits, so that no id loses digits beyond 2^53; at most 19 of them (a signed 64-bit id). */
export type OrganizationId = string

const DIGITS = /^[1-9]\d{0,18}$/

/**
 * The id in a value that came over the wire: digits, or a JSON number that is a safe positive integer.
 * @throws Problem `invalid_organization_id`
 */
export function parseOrganizationId(value: unknown): OrganizationId {
  const text = Number.isSafeInteger(value) ? String(value) : value
  if (typeof text !== 'string' || !DIGITS.test(text)) throw new Problem('invalid_organization_id')
  return text
}

/** Why what a person typed names no organization. */
export type TypedFault = 'empty' | 'not_an_id' | 'not_in_address' | 'several_ids'

/**
 * The id in what a person typed or pasted: its digits, also full-width ones, `organization_id=1001`, or the address of the
 * project list, with or without its scheme, whose `organization_id` parameter it is (5.3). Blanks around it do not matter; the
 * address may be of any host, since it is only read. An id is never guessed: where two differ there is none.
 */
export function readTypedOrganization(typed: string): { id: OrganizationId } | { fault: TypedFault } {
  const text = halfWidth(typed).trim()
  if (text === '') return { fault: 'empty' }
  if (DIGITS.test(text)) return { id: text }
  const ids = [...new Set(queryIn(text).getAll('organization_id'))]
  if (ids.length > 1) return { fault: 'several_ids' }
  const [id] = ids
  if (id !== undefined && DIGITS.test(id)) return { id }
  return { fault: id === undefined && /[/?=&]/.test(text) ? 'not_in_address' : 'not_an_id' }
}

/** Full-width forms, which an input method for Japanese may write, as the ASCII characters that they stand for. */
const halfWidth = (text: string): string =>
  text.replaceAll(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))

/** The query of an address of the web, or a query alone; an empty one where the text is neither. */
function queryIn(text: string): URLSearchParams {
  if (/^(?:[?&]|\w+=)/.test(text)) return new URLSearchParams(text)
  const address = /^\w+:\/\//.test(text) ? text : `https://${text}`
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return new URLSearchParams()
  return new URL(address).searchParams
}

/** The path of one organization, below {base_url} (4.4). */
export const organizationPath = (id: OrganizationId): string => `/organizations/${id}`
