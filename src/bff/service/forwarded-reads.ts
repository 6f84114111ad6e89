/** The reads that the browser may request under `/api`, and nothing else (4.3, 4.4). */
import { API_PREFIX } from '../../contract/api.ts'
import type { RequestKind } from '../../contract/month.ts'
import { parseOrganizationId } from '../../contract/organization.ts'
import { RATE_LIMIT_PATH } from '../../contract/rate-limit.ts'

export interface ForwardedRead {
  /** Path of the bff, in the router's syntax. */
  bffPath: string
  /**
   * Path below {base_url}, also in the ledger. `{id}` is an organization's id; with an access token it is the
   * one that the token was issued for (5.3).
   */
  servicePath: string
  /** It also selects the rows of the table in contract/answer-meaning.ts. */
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

export interface ServiceRead {
  /** Path below {base_url}. */
  path: string
  row: ForwardedRead
}

/** @throws Problem `invalid_organization_id` if the path needs an id and this is none */
export const serviceRead = (row: ForwardedRead, id?: string): ServiceRead => ({
  row,
  path: row.servicePath.replace('{id}', () => parseOrganizationId(id)),
})
