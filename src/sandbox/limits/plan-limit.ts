/** The limits of an organization: those of its plan, with changes by operating conditions (8). */
import { type Plan, PLANS } from '../../contract/plan.ts'
import type { RequestClass } from '../../contract/rate-limit.ts'
import type { Choices } from '../choices/choices.ts'
import type { Organization } from '../state/seed.ts'
import { type DeepReadonly, type LimitChanges, ownValue, type OpenWindow } from '../state/state.ts'
import type { Context } from '../state/context.ts'

/** All limits of section 8. */
export function limitsOf({ state }: Pick<Context, 'state'>, organization: DeepReadonly<Organization>): Plan {
  const plan: Plan = PLANS[organization.plan]
  const known = ownValue(state.limits, String(organization.id))
  if (known === undefined) return plan
  const { per_month, ...limits } = plan
  const { per_month: changed = per_month, ...changes } = known
  return { ...limits, ...changes, ...(typeof changed === 'number' && { per_month: changed }) }
}

/** One of them; `undefined` for no limit. */
export function limitOf<Name extends keyof LimitChanges>(
  { state }: Pick<Context, 'state'>,
  organization: DeepReadonly<Organization>,
  name: Name,
): Plan[Name] {
  const plan: Plan = PLANS[organization.plan]
  const changed: number | null | undefined = ownValue(state.limits, String(organization.id))?.[name]
  return changed === undefined ? plan[name] : ((changed ?? undefined) as Plan[Name])
}

/**
 * The limit of a class in the window that is open.
 * @param open `undefined`: no window is open
 */
export function minuteLimit(
  context: Pick<Context, 'state' | 'choices'>,
  organization: DeepReadonly<Organization>,
  requestClass: RequestClass,
  open: DeepReadonly<OpenWindow> | undefined,
): number {
  const limit = limitOf(context, organization, `${requestClass}_per_minute`)
  // The limits of a new plan take effect with the plan (`planchange`), not with the window.
  if (open?.limit === undefined || open.plan !== organization.plan) return limit
  return LIMIT_OF_OPEN_WINDOW[context.choices.limitchange](limit, { limit: open.limit, used: open.used })
}

/** The limit of a window that opened before the limit was changed (U72). */
const LIMIT_OF_OPEN_WINDOW: Record<
  Choices['limitchange'],
  (limit: number, open: { limit: number; used: number }) => number
> = {
  next_window: (_, open) => open.limit,
  at_once: (limit, open) => Math.max(limit, Math.min(open.limit, Math.ceil(open.used))),
  at_once_below_used: (limit) => limit,
}
