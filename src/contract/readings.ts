/** `/bff/readings`: the month's count as a person read it on the service's plan page (8.3). */
import { ASSUMED, type Assumptions } from './assumptions.ts'
import type { OrganizationId } from './organization.ts'
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

const SHOWS = { none: 'exact', suspected: 'used_up', below_own: 'below_own' } as const

/** What one does: makes the count exact, renews or corrects it, or shows if the month is used up. */
export const readingShows = (wanted: ReadingWanted): 'exact' | 'again' | 'used_up' | 'below_own' =>
  SHOWS[wanted as keyof typeof SHOWS] ?? 'again'

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
