/**
 * The organization's id (5.3). The shape of the organization's body is not shown (4.4), so nothing here reads
 * it.
 */
import { Problem } from './problem.ts'

/**
 * A positive whole number as text, so that ids beyond 2^53 keep their digits; at most 19 (a signed 64-bit
 * id).
 */
export type OrganizationId = string

const DIGITS = /^[1-9]\d{0,18}$/

/**
 * Reads the id in a value from the wire: digits, or a JSON number that is a safe positive integer.
 * @throws Problem `invalid_organization_id`
 */
export function parseOrganizationId(value: unknown): OrganizationId {
  const text = Number.isSafeInteger(value) ? String(value) : value
  if (typeof text !== 'string' || !DIGITS.test(text)) throw new Problem('invalid_organization_id')
  return text
}

/** The reason why a typed text names no organization. */
export type TypedFault = 'empty' | 'not_an_id' | 'not_in_address' | 'several_ids'

/**
 * Reads the id in a typed or pasted text: digits, also full-width ones; `organization_id=1001`; or the
 * address of the project list, with or without its scheme, with the parameter `organization_id` (5.3).
 * Surrounding blanks do not matter. The address may have any host, since it is only read. Two different ids
 * are refused.
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

/** Converts full-width forms, which a Japanese input method may write, to ASCII. */
const halfWidth = (text: string): string =>
  text.replaceAll(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))

/** The query of a web address, or a query alone; empty if the text is neither. */
function queryIn(text: string): URLSearchParams {
  if (/^(?:[?&]|\w+=)/.test(text)) return new URLSearchParams(text)
  const address = /^\w+:\/\//.test(text) ? text : `https://${text}`
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return new URLSearchParams()
  return new URL(address).searchParams
}

/** The path of one organization, below {base_url} (4.4). */
export const organizationPath = (id: OrganizationId): string => `/organizations/${id}`
