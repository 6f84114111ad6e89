/** The numbers of section 8. They can change with operating conditions (8). */
export type PlanName = 'business' | 'standard'

export interface Plan {
  name: PlanName
  /** Limits of API keys and OAuth applications of an organization (8.1). */
  api_keys: number
  oauth_applications: number
  /** Requests a minute and token, by class (8.2). */
  read_per_minute: number
  update_per_minute: number
  /** Requests a month and organization; absent where unlimited (8.3). */
  per_month?: number
}

export const PLANS = {
  business: {
    name: 'business',
    api_keys: 10,
    oauth_applications: 10,
    read_per_minute: 600,
    update_per_minute: 150,
  },
  standard: {
    name: 'standard',
    api_keys: 1,
    oauth_applications: 1,
    read_per_minute: 60,
    update_per_minute: 15,
    per_month: 100,
  },
} as const satisfies Record<PlanName, Plan>

/**
 * Guesses by the minute limits, since no answer names the plan; the page shows it as a guess.
 * @returns `undefined` if no limit was seen, or the limits fit no plan or two
 */
export function guessPlan(seen: {
  read?: number | undefined
  update?: number | undefined
}): Plan | undefined {
  const fits = Object.values(PLANS).filter(
    (plan) =>
      (seen.read ?? plan.read_per_minute) === plan.read_per_minute &&
      (seen.update ?? plan.update_per_minute) === plan.update_per_minute,
  )
  return fits.length === 1 ? fits[0] : undefined
}
