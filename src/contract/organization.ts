/** The organization's id (5.3). The shape of its body is not shown (4.4), so nothing here reads it. */
import { Problem } from './problem.ts'

/** A positive whole number as text: ids beyond 2^53 keep their digits; at most 19 (signed 64 bits). */
export type OrganizationId = string

const DIGITS = /^[1-9]\d{0,18}$/

/** Reads digits or a safe positive integer of JSON. @throws Problem `invalid_organization_id` */
export function parseOrganizationId(value: unknown): OrganizationId {
  const text = Number.isSafeInteger(value) ? String(value) : value
  if (typeof text !== 'string' || !DIGITS.test(text)) throw new Problem('invalid_organization_id')
  return text
}

export type TypedFault = 'empty' | 'not_an_id' | 'not_in_address' | 'several_ids'

/**
 * Reads a typed or pasted text: digits, also full-width; `organization_id=1001`; or the address of the
 * project list, with or without its scheme, with that parameter (5.3). Blanks around it do not matter. Any
 * host is allowed, since the address is only read. Two different ids are refused.
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
