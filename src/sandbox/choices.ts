/** The only place where the sandbox reads what the document leaves open, so that each choice can become a switch. */
import { NOT_SHOWN } from '../contract/assumptions.ts'

/** Named as in `NOT_SHOWN`, each with all that the sandbox can do. */
export interface Choices {
  redirect_parameters: { code: string; state: string; error: string }
  denial: { error: string }
  token_encoding: 'form' | 'json'
  code_lifetime_seconds: number
  /** `undefined`: it has no end. */
  refresh_token_lifetime_seconds: number | undefined
  refresh_token_rotates: boolean
  credential_refusal: { status: number; error: string }
  other_organization_status: number
  refused_requests_count: boolean
  rate_limit_read_counts: boolean
  /** The sandbox resets the month in the first. */
  month_zones: readonly [string, ...string[]]
  month_refusal_status: number
}

/** What `NOT_SHOWN` assumes. */
export const ASSUMED: Choices = {
  redirect_parameters: NOT_SHOWN.redirect_parameters.assumed,
  denial: NOT_SHOWN.denial.assumed,
  token_encoding: NOT_SHOWN.token_encoding.assumed,
  code_lifetime_seconds: NOT_SHOWN.code_lifetime_seconds.assumed,
  refresh_token_lifetime_seconds: NOT_SHOWN.refresh_token_lifetime_seconds.assumed,
  refresh_token_rotates: NOT_SHOWN.refresh_token_rotates.assumed,
  credential_refusal: NOT_SHOWN.credential_refusal.assumed,
  other_organization_status: NOT_SHOWN.other_organization_status.assumed,
  refused_requests_count: NOT_SHOWN.refused_requests_count.assumed,
  rate_limit_read_counts: NOT_SHOWN.rate_limit_read_counts.assumed,
  month_zones: NOT_SHOWN.month_zones.assumed,
  month_refusal_status: NOT_SHOWN.month_refusal_status.assumed,
}
