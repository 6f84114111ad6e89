/** `/bff/readings`: the month's count as a person read it on the service's plan page (8.3). */
import { ASSUMED, type Assumptions } from './assumptions.ts'
import { closedObject } from './closed-object.ts'
import type { Fault } from './fault.ts'
import { isTime } from './json.ts'
import type { OrganizationId } from './organization.ts'
import { Problem } from './problem.ts'
import type { ReadingWanted } from './quota.ts'

/** Limit of an organization's readings in a month, including removed ones. */
export const MOST_READINGS = 200

/** Body of `POST /bff/readings`. */
export interface ReadingRequest {
  count: number
  /** RFC 3339; absent: now. */
  read_at?: string
  /** Confirms a number below an earlier one of this month: the month was reset, or the count corrected. */
  month_was_reset?: true
}

/** An item of `GET /bff/readings`, and the answer of `POST /bff/readings`. */
export interface Reading {
  id: string
  count: number
  read_at: string
  /** `you` if it was entered in a session of the person who asks. */
  by: 'you' | 'another'
}

/** The answer of `GET /bff/readings`: the readings of this month, the latest first. */
export interface Readings {
  readings: Reading[]
}

export const MOST_COUNT = 100_000

/** Tells a person why to enter one: it makes the count exact, renews it, or shows if the month is used up. */
export const readingShows = (wanted: ReadingWanted): 'exact' | 'again' | 'used_up' =>
  (({ none: 'exact', suspected: 'used_up' }) as const)[wanted as 'none' | 'suspected'] ?? 'again'

/**
 * @param baseUrl {base_url}, without a slash at the end
 * @param organizationId a parameter, as for the project list (5.3); absent if unknown
 */
export const planPage = (
  baseUrl: string,
  organizationId: OrganizationId | undefined,
  assumed: Pick<Assumptions, 'plan_page'> = ASSUMED,
): string =>
  baseUrl + assumed.plan_page + (organizationId === undefined ? '' : `?organization_id=${organizationId}`)

/** @throws Problem `invalid_request` for any other body. It does not check that the time is in this month */
export function parseReadingRequest(body: unknown): ReadingRequest {
  const {
    count: value,
    read_at,
    month_was_reset,
  } = closedObject(body, ['count', 'read_at', 'month_was_reset'])
  const invalid = (fault: Fault) => new Problem('invalid_request', { fault })
  if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > MOST_COUNT)
    throw invalid('count_not_in_range')
  if (month_was_reset !== undefined && month_was_reset !== true) throw invalid('month_was_reset_not_true')
  if (read_at !== undefined && !isTime(read_at)) throw invalid('read_at_malformed')
  return {
    count: value as number,
    ...(read_at !== undefined && { read_at }),
    ...(month_was_reset && { month_was_reset }),
  }
}
