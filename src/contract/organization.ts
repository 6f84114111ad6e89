/** The organization's id (5.3). The shape of its body is not shown (4.4), so nothing here reads it. */
import { Problem } from './problem.ts'
import { typedText } from './typed-number.ts'

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
 * Reads a typed or pasted text: digits; `organization_id=1001`; or the address of the project list, with or
 * without its scheme, with that parameter (5.3). It may be full-width, and be wrapped by the program that it
 * was copied from. Any host is allowed, since the address is only read. Two different ids are refused.
 */
export function readTypedOrganization(typed: string): { id: OrganizationId } | { fault: TypedFault } {
  const text = unwrapped(typedText(typed))
  if (text === '') return { fault: 'empty' }
  if (DIGITS.test(text)) return { id: text }
  const ids = idsIn(text)
  if (ids.length > 1) return { fault: 'several_ids' }
  const [id] = ids
  if (id !== undefined && DIGITS.test(id)) return { id }
  return { fault: id === undefined && /[/?=&]/.test(text) ? 'not_in_address' : 'not_an_id' }
}

/** Mail and chat programs write `<address>`, `<address|label>`, `&amp;` and `https%3A%2F%2F`. */
function unwrapped(text: string): string {
  const [, inner = text] = /^<([^<>|]*)(?:\|[^<>]*)?>$/.exec(text) ?? []
  const plain = inner.replaceAll(/&(?:amp|#38|#x26);/gi, '&').trim()
  return /^https?%3a/i.test(plain) ? (new URLSearchParams(`=${plain}`).get('') ?? plain) : plain
}

/** The ids in the address itself, otherwise in the addresses among its parameters, as in a SafeLink. */
function idsIn(text: string): string[] {
  const query = queryIn(text)
  const own = query.getAll(PARAMETER)
  const inner = [...query.values()].flatMap((address) => queryIn(address).getAll(PARAMETER))
  const ids = own.length > 0 ? own : inner
  return [...new Set(ids)]
}

const PARAMETER = 'organization_id'

/** The query of a web address, or a query alone; empty if the text is neither. */
function queryIn(text: string): URLSearchParams {
  if (/^(?:[?&]|\w+=)/.test(text)) return new URLSearchParams(text)
  const address = /^\w+:\/\//.test(text) ? text : `https://${text}`
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return new URLSearchParams()
  return new URL(address).searchParams
}

/** The path of one organization, below {base_url} (4.4). */
export const organizationPath = (id: OrganizationId): string => `/organizations/${id}`
