/** @jsxImportSource hono/jsx */
/** Shows the limits of each organization and the used part, with a form that changes both (8). */
import { type Plan, PLANS } from '../../contract/plan.ts'
import type { RequestClass } from '../../contract/rate-limit.ts'
import { monthOf } from '../limits/month.ts'
import { limitsOf } from '../limits/plan-limit.ts'
import { Bar } from '../settings/plan.tsx'
import type { Context } from '../state/context.ts'
import type { Organization } from '../state/seed.ts'
import { type DeepReadonly, type LimitChanges, ownValue } from '../state/state.ts'
import { type ControlContext, CsrfField, NumberField, numberOf } from './control-layout.tsx'
import { COUNT_NAMES, minuteOf, parseUsage, type Usage } from './usage.ts'

const LIMIT_NAMES = [
  'per_month',
  'read_per_minute',
  'update_per_minute',
  'api_keys',
  'oauth_applications',
] as const

function organizationOfForm(form: URLSearchParams, { state }: Context): DeepReadonly<Organization> {
  const found = state.organizations.find(({ id }) => String(id) === form.get('organization_id'))
  if (found === undefined) throw new Error('organization_id is not the id of an organization')
  return found
}

/** Stores only limits that differ from the plan's, and sets only changed counts. */
export function saveLimits(form: URLSearchParams, { actions, context }: ControlContext): void {
  const { id, plan } = organizationOfForm(form, context)
  const { [id]: _, ...others } = actions.limits()
  const changes = limitChanges(form, PLANS[plan])
  const before = actions.usage()[id] ?? { month: 0, read: 0, update: 0 }
  const used = COUNT_NAMES.map((name) => [name, numberOf(form, `${name}_used`)] as const)
  const usage = Object.fromEntries(
    used.filter(([name, count]) => count !== undefined && count !== before[name]),
  )
  // Both must be valid before one is changed.
  parseUsage({ [id]: usage }, context.state)
  actions.changeLimits(Object.keys(changes).length === 0 ? others : { ...others, [id]: changes })
  actions.changeUsage({ [id]: usage })
}

function limitChanges(form: URLSearchParams, plan: Plan): LimitChanges {
  const entries = LIMIT_NAMES.flatMap((name): [string, number | null][] => {
    const wanted = numberOf(form, name)
    if (wanted === plan[name]) return []
    if (wanted !== undefined) return [[name, wanted]]
    return name === 'per_month' ? [[name, null]] : []
  })
  return Object.fromEntries(entries)
}

export function restorePlanLimits(form: URLSearchParams, { actions, context }: ControlContext): void {
  const { [organizationOfForm(form, context).id]: _, ...others } = actions.limits()
  actions.changeLimits(others)
}

/** Uses up the month or the minute of both classes, or resets the counts. */
export function setUsed(form: URLSearchParams, { actions, context }: ControlContext): void {
  const organization = organizationOfForm(form, context)
  const {
    per_month: month = 0,
    read_per_minute: read,
    update_per_minute: update,
  } = limitsOf(context, organization)
  const usages: Record<string, Partial<Usage>> = {
    use_up_month: { month },
    use_up_minute: { read, update },
    reset_counts: { month: 0, read: 0, update: 0 },
  }
  actions.changeUsage({ [organization.id]: usages[form.get('do') ?? ''] ?? {} })
}

export const LimitsForms = ({ context, csrfToken }: Pick<ControlContext, 'context' | 'csrfToken'>) => (
  <section class="card" aria-labelledby="limits">
    <h2 id="limits">Limits and what is used of them</h2>
    {context.state.organizations.map((organization) => (
      <OrganizationLimits
        key={organization.id}
        context={context}
        organization={organization}
        csrfToken={csrfToken}
      />
    ))}
    <p class="quiet">
      A minute is that of the credential with the fewest requests left; a change is made to all credentials of
      the organization.
    </p>
  </section>
)

interface LimitUse {
  used: number
  limit: number | undefined
}

interface OrganizationProps extends Pick<ControlContext, 'context' | 'csrfToken'> {
  organization: DeepReadonly<Organization>
}

const OrganizationLimits = ({ context, organization, csrfToken }: OrganizationProps) => {
  const { id, name, plan } = organization
  const limits = limitsOf(context, organization)
  const isChanged = Object.keys(ownValue(context.state.limits, String(id)) ?? {}).length > 0
  const use = (requestClass: RequestClass): LimitUse => {
    const { limit, remaining } = minuteOf(context, organization, requestClass)
    return { used: limit - remaining, limit }
  }
  const month = { used: monthOf(context, organization).count, limit: limits.per_month }
  const uses = { month, read: use('read'), update: use('update') }
  return (
    <section class="limits" aria-labelledby={`limits-${id}`}>
      <h3 id={`limits-${id}`}>
        {name} <span class="chip capital">{plan}</span>{' '}
        {isChanged && <span class="chip">limits changed</span>}
      </h3>
      <div class="meters">
        <Meter name="Month" use={uses.month} />
        <Meter name="Read, this minute" use={uses.read} />
        <Meter name="Update, this minute" use={uses.update} />
      </div>
      <CountButtons id={id} hasMonth={limits.per_month !== undefined} csrfToken={csrfToken} />
      <details>
        <summary>
          Change limits and counts<span class="aside"> of {name}</span>
        </summary>
        <EditForm id={id} limits={limits} plan={PLANS[plan]} uses={uses} csrfToken={csrfToken} />
      </details>
    </section>
  )
}

interface CountButtonsProps {
  id: number
  hasMonth: boolean
  csrfToken: string
}

const CountButtons = ({ id, hasMonth, csrfToken }: CountButtonsProps) => (
  <form method="post" class="row">
    <HiddenFields id={id} csrfToken={csrfToken} />
    <button name="do" value="use_up_month" disabled={!hasMonth}>
      Use up the month
    </button>
    <button name="do" value="use_up_minute">
      Use up the minute
    </button>
    <button name="do" value="reset_counts">
      Reset counts
    </button>
  </form>
)

const HiddenFields = ({ id, csrfToken }: { id: number; csrfToken: string }) => (
  <>
    <CsrfField csrfToken={csrfToken} />
    <input type="hidden" name="organization_id" value={id} />
  </>
)

const Meter = ({ name, use: { used, limit } }: { name: string; use: LimitUse }) => (
  <div class="meter">
    <p>
      {name}
      <span>
        <strong>{limit === undefined ? used : Math.max(0, limit - used)}</strong>{' '}
        {limit === undefined ? 'used, no limit' : `of ${limit} left`}
      </span>
    </p>
    {limit !== undefined && <Bar percent={limit === 0 ? 0 : Math.max(0, 100 - (100 * used) / limit)} />}
  </div>
)

const EditForm = ({ id, csrfToken, ...fields }: FieldsProps & { id: number; csrfToken: string }) => (
  <form method="post" class="form">
    <HiddenFields id={id} csrfToken={csrfToken} />
    <LimitFields {...fields} />
    <div class="row">
      <button class="primary" name="do" value="limits">
        Save
      </button>
      <button name="do" value="plan_limits">
        Limits of the plan
      </button>
    </div>
  </form>
)

interface FieldsProps {
  limits: Plan
  plan: Plan
  uses: Record<(typeof COUNT_NAMES)[number], LimitUse>
}

const LimitFields = ({ limits, plan, uses }: FieldsProps) => {
  const limit = (name: (typeof LIMIT_NAMES)[number], label: string) => (
    <NumberField
      name={name}
      label={`${label} (plan: ${plan[name] ?? 'none'})`}
      value={limits[name]}
      placeholder="no limit"
    />
  )
  return (
    <div class="fields">
      <NumberField name="month_used" label="Used of the month" value={uses.month.used} max={10_000} />
      {limit('per_month', 'Limit of a month')}
      <NumberField name="read_used" label="Reads used, this minute" value={uses.read.used} max={10_000} />
      {limit('read_per_minute', 'Reads a minute')}
      <NumberField
        name="update_used"
        label="Updates used, this minute"
        value={uses.update.used}
        max={10_000}
      />
      {limit('update_per_minute', 'Updates a minute')}
      {limit('api_keys', 'API keys')}
      {limit('oauth_applications', 'OAuth applications')}
    </div>
  )
}
