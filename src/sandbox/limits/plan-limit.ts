/** The limits of an organization: those of its plan, as operating conditions have changed them (8). */
import { type Plan, PLANS } from '../../contract/plan.ts'
import type { RequestClass } from '../../contract/rate-limit.ts'
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

/** A window keeps the limit of its opening, unless the plan changed. @param open absent: no window is open */
export const minuteLimit = (
  context: Pick<Context, 'state'>,
  organization: DeepReadonly<Organization>,
  requestClass: RequestClass,
  open: DeepReadonly<OpenWindow> | undefined,
): number =>
  open?.limit !== undefined && open.plan === organization.plan
    ? open.limit
    : limitOf(context, organization, `${requestClass}_per_minute`)
