/** The limits of an organization: those of its plan, as operating conditions have changed them (8). */
import { type Plan, PLANS } from '../../contract/plan.ts'
import type { RequestClass } from '../../contract/rate-limit.ts'
import type { Choices } from '../choices/choices.ts'
import type { Organization } from '../state/seed.ts'
import { type DeepReadonly, type LimitChanges, ownValue, type OpenWindow } from '../state/state.ts'
import type { Context } from '../state/context.ts'

/** Section 8; `undefined`: there is no limit. */
export function limitOf<Name extends keyof LimitChanges>(
  { state }: Pick<Context, 'state'>,
  organization: DeepReadonly<Organization>,
  name: Name,
): Plan[Name] {
  const plan: Plan = PLANS[organization.plan]
  const changed: number | null | undefined = ownValue(state.limits, String(organization.id))?.[name]
  return changed === undefined ? plan[name] : ((changed ?? undefined) as Plan[Name])
}

export function limitsOf(context: Pick<Context, 'state'>, organization: DeepReadonly<Organization>): Plan {
  const limit = <Name extends keyof LimitChanges>(name: Name) => limitOf(context, organization, name)
  const perMonth = limit('per_month')
  return {
    name: organization.plan,
    api_keys: limit('api_keys'),
    oauth_applications: limit('oauth_applications'),
    read_per_minute: limit('read_per_minute'),
    update_per_minute: limit('update_per_minute'),
    ...(perMonth !== undefined && { per_month: perMonth }),
  }
}

/** @param open `undefined`: no window is open */
export function minuteLimit(
  context: Pick<Context, 'state' | 'choices'>,
  organization: DeepReadonly<Organization>,
  requestClass: RequestClass,
  open: DeepReadonly<OpenWindow> | undefined,
): number {
  const limit = limitOf(context, organization, `${requestClass}_per_minute`)
  // The limits of a new plan take effect with the plan (`planchange`), not with the next window.
  if (open?.limit === undefined || open.plan !== organization.plan) return limit
  return LIMIT_OF_OPEN_WINDOW[context.choices.limitchange](limit, { limit: open.limit, used: open.used })
}

/** U72: a window that opened before the limit was changed. */
const LIMIT_OF_OPEN_WINDOW: Record<
  Choices['limitchange'],
  (limit: number, open: { limit: number; used: number }) => number
> = {
  next_window: (_, open) => open.limit,
  at_once: (limit, open) => Math.max(limit, Math.min(open.limit, Math.ceil(open.used))),
  at_once_below_used: (limit) => limit,
}
