/** The limits of an organization as they stand: those of its plan, and what conditions made of them (8). */
import { type Plan, PLANS } from '../../contract/plan.ts'
import type { RequestClass } from '../../contract/rate-limit.ts'
import type { Choices } from '../choices/choices.ts'
import { type Frozen, lookUp, type Organization, type OpenWindow } from '../state/state.ts'
import type { Context } from '../state/context.ts'

/** All limits of section 8. */
export function limitsOf({ state }: Pick<Context, 'state'>, organization: Frozen<Organization>): Plan {
  const { per_month, ...limits }: Plan = PLANS[organization.plan]
  const { per_month: changed = per_month, ...changes } = lookUp(state.limits, String(organization.id)) ?? {}
  return { ...limits, ...changes, ...(typeof changed === 'number' && { per_month: changed }) }
}

/**
 * The limit of a class in the window that is open.
 * @param open `undefined`: none is
 */
export function minuteLimit(
  context: Pick<Context, 'state' | 'choices'>,
  organization: Frozen<Organization>,
  requestClass: RequestClass,
  open: Frozen<OpenWindow> | undefined,
): number {
  const limits = limitsOf(context, organization)
  const limit = limits[`${requestClass}_per_minute`]
  // A plan that was changed is another matter (`planchange`): its limits hold from when it does.
  if (open?.limit === undefined || open.plan !== limits.name) return limit
  return ARRIVES[context.choices.limitchange](limit, { limit: open.limit, used: open.used })
}

/** What of a changed limit holds in a window that opened before the change (U72). */
const ARRIVES: Record<
  Choices['limitchange'],
  (limit: number, open: { limit: number; used: number }) => number
> = {
  next_window: (_, open) => open.limit,
  at_once: (limit, open) => Math.max(limit, Math.min(open.limit, Math.ceil(open.used))),
  at_once_below_used: (limit) => limit,
}
