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

/**
 * The id in what a person typed or pasted: the digits, or the address of the project list, whose `organization_id`
 * parameter it is (5.3). Blanks around it do not matter; the address may be of any host, since it is only read.
 * @throws Problem `invalid_organization_id` for all else, also for an address with the parameter missing or twice.
 */
export function readOrganizationId(typed: string): OrganizationId {
  const text = typed.trim()
  if (!/^https?:\/\//i.test(text)) return parseOrganizationId(text)
  if (!URL.canParse(text)) throw new Problem('invalid_organization_id')
  const ids = new URL(text).searchParams.getAll('organization_id')
  return parseOrganizationId(ids.length === 1 ? ids[0] : undefined)
}

/** The path of one organization, below {base_url} (4.4). */
export const organizationPath = (id: OrganizationId): string => `/organizations/${id}`
