/** The reads of the service that the browser may request under `/api`: one row each, and nothing else is forwarded (4.3, 4.4). */
import { API_PREFIX } from '../../contract/api.ts'
import type { RequestKind } from '../../contract/month.ts'
import { parseOrganizationId } from '../../contract/organization.ts'
import { RATE_LIMIT_PATH } from '../../contract/rate-limit.ts'

export interface ForwardedRead {
  /** Path of the bff, in the router's syntax. */
  bffPath: string
  /**
   * Path below {base_url}; the ledger records it as it stands here. `{id}` is the id of an organization: with an access token
   * only of the one that it was issued for (5.3).
   */
  servicePath: string
  /** What the ledger calls it, and in which rows of the meaning table its answers are looked up. */
  kind: RequestKind
}

export const ORGANIZATIONS_READ: ForwardedRead = {
  bffPath: `${API_PREFIX}/organizations`,
  servicePath: '/organizations',
  kind: 'api.read',
}
export const ORGANIZATION_READ: ForwardedRead = {
  bffPath: `${API_PREFIX}/organizations/:id{[0-9]+}`,
  servicePath: '/organizations/{id}',
  kind: 'api.read',
}
const RATE_LIMIT_READ: ForwardedRead = {
  bffPath: `${API_PREFIX}${RATE_LIMIT_PATH}`,
  servicePath: RATE_LIMIT_PATH,
  kind: 'rate_limit',
}

export const FORWARDED_READS = [ORGANIZATIONS_READ, ORGANIZATION_READ, RATE_LIMIT_READ]

/** One read with its path complete. */
export interface ServiceRead {
  /** Path below {base_url}. */
  path: string
  row: ForwardedRead
}

/**
 * Completes the path of a row with an id.
 * @throws Problem `invalid_organization_id` where the path has an id, and it is not one
 */
export const serviceRead = (row: ForwardedRead, id?: string): ServiceRead => ({
  row,
  path: row.servicePath.replace('{id}', () => parseOrganizationId(id)),
})
