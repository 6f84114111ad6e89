/** @jsxImportSource hono/jsx */
/** Changes the plan of an organization, and disables keys and applications above the new maximum. */
import { PLANS, type PlanName } from '../../contract/plan.ts'
import type { Choices } from '../choices/choices.ts'
import { monthOf } from '../limits/month.ts'
import type { Context } from '../state/context.ts'
import type { ApiKey, Application, Organization } from '../state/seed.ts'
import type { DeepReadonly, SandboxState } from '../state/state.ts'
import { ErrorList, OwnForm } from './field.tsx'
import { API_KEYS, APPLICATIONS, type CredentialKind, planName } from './maximum.tsx'
import type { Member } from './member.ts'
import { formatInstant } from './plan.tsx'
import { type Confirmation, redirectToSettings, writeSettings } from './settings-page.tsx'
import type { Answered } from '../http/handler-context.ts'

type CanBeDisabled = Pick<ApiKey | Application, 'disabled_by'>

/** U73: now or later. @returns the confirmation that the page shows */
const CHANGES: Record<
  Choices['planchange'],
  (context: Context, organization: DeepReadonly<Organization>, plan: PlanName) => Confirmation
> = {
  at_once_count_kept: (context, { id }, plan) => {
    startPlan(context, id, plan)
    return 'plan_changed'
  },
  at_once_count_restarted: (context, { id }, plan) => {
    startPlan(context, id, plan)
    context.change(({ months }) => {
      delete months[id]
    })
    return 'plan_changed'
  },
  next_month: (context, organization, plan) => {
    const { ends_at_ms } = monthOf(context, organization)
    context.change(({ organizations }) => {
      for (const one of organizations)
        if (one.id === organization.id) one.next_plan = { plan, from_ms: ends_at_ms }
    })
    return 'plan_planned'
  },
}

/** U74: a list above the maximum of a smaller plan. `stays` returns how many stay in use. */
const DOWNGRADES: Record<Choices['downgrade'], { isRefused: boolean; stays: (most: number) => number }> = {
  kept: { isRefused: false, stays: () => Number.POSITIVE_INFINITY },
  newest_disabled: { isRefused: false, stays: (most) => most },
  all_disabled: { isRefused: false, stays: () => 0 },
  refused: { isRefused: true, stays: () => Number.POSITIVE_INFINITY },
}

/** U73. Must be called before a request is answered. */
export function applyDuePlanChanges(context: Context): void {
  for (const { id, next_plan } of context.state.organizations)
    if (next_plan && context.nowMs >= next_plan.from_ms) startPlan(context, id, next_plan.plan)
}

function startPlan(context: Context, id: number, plan: PlanName): void {
  context.change((state) => {
    for (const organization of state.organizations.filter((known) => known.id === id)) {
      organization.plan = plan
      delete organization.next_plan
    }
    const { api_keys, oauth_applications } = PLANS[plan]
    const isListed = (one: ApiKey | Application) => one.organization_id === id && !('deleted_at_ms' in one)
    disableAboveMaximum(state.api_keys.filter(isListed), api_keys, context.choices)
    disableAboveMaximum(state.applications.filter(isListed), oauth_applications, context.choices)
  })
}

/** Below the maximum, enables those that a plan change had disabled. */
function disableAboveMaximum(
  issued: readonly CanBeDisabled[],
  most: number,
  { downgrade }: Pick<DeepReadonly<Choices>, 'downgrade'>,
): void {
  const stays = issued.length > most ? DOWNGRADES[downgrade].stays(most) : issued.length
  for (const [place, one] of issued.entries()) {
    if (place >= stays) one.disabled_by ??= 'plan'
    else if (one.disabled_by === 'plan' && issued.length <= most) delete one.disabled_by
  }
}

/** U74. */
function reasonAgainstPlan({ context, organization }: Member, plan: PlanName): string | undefined {
  if (!DOWNGRADES[context.choices.downgrade].isRefused) return undefined
  const tooMany = [API_KEYS, APPLICATIONS].filter(
    (kind) => countListed(context.state, kind, organization.id) > kind.most(PLANS[plan]),
  )
  if (tooMany.length === 0) return undefined
  const lists = tooMany.map(
    (kind) =>
      `${kind.most(PLANS[plan])} of your ${countListed(context.state, kind, organization.id)} ${kind.many}`,
  )
  return `The ${planName({ plan })} plan allows ${lists.join(' and ')}. Delete the others first.`
}

const countListed = (
  state: DeepReadonly<SandboxState>,
  kind: CredentialKind,
  organizationId: number,
): number => kind.list(state, organizationId).length

/** For administrators. */
export const planForm = (member: Member): Answered => writePlan(member)

/** The choice of the present plan cancels a planned change. */
export function changePlan(member: Member, form: URLSearchParams): Answered {
  const { context, organization } = member
  const chosen = Object.values(PLANS).find(({ name }) => name === form.getAll('plan').join(' '))?.name
  if (chosen === undefined) return writePlan(member, 'Choose one of the plans.', 422)
  if (chosen === organization.plan) {
    context.change(({ organizations }) => {
      for (const one of organizations) if (one.id === organization.id) delete one.next_plan
    })
    return redirectToSettings(member, 'plan', 'plan_unchanged')
  }
  const reason = reasonAgainstPlan(member, chosen)
  if (reason !== undefined) return writePlan(member, reason, 409)
  return redirectToSettings(
    member,
    'plan',
    CHANGES[context.choices.planchange](context, organization, chosen),
  )
}

const writePlan = (member: Member, error?: string, status = 200): Answered => {
  const { organization } = member
  const planned = organization.next_plan
  return writeSettings(
    member,
    { title: 'Plan', status, hasErrors: error !== undefined },
    <section class="card">
      <ErrorList errors={{ form: error }} />
      {planned && (
        <p class="hint">
          {planName(organization)} until{' '}
          <time datetime={new Date(planned.from_ms).toISOString()}>{formatInstant(planned.from_ms)}</time>,
          then {planName(planned)}.
        </p>
      )}
      <OwnForm member={member} class="form">
        <fieldset>
          <legend>Plan of the organization</legend>
          <div class="plans">
            {Object.values(PLANS).map((plan) => (
              <PlanOption key={plan.name} name={plan.name} isChosen={plan.name === organization.plan} />
            ))}
          </div>
        </fieldset>
        <div class="answers">
          <button class="primary">Change plan</button>
        </div>
      </OwnForm>
    </section>,
  )
}

const PlanOption = ({ name, isChosen }: { name: PlanName; isChosen: boolean }) => {
  const { api_keys, oauth_applications, read_per_minute, update_per_minute, ...rest } = PLANS[name]
  return (
    <div class="plan">
      <input
        type="radio"
        id={name}
        name="plan"
        value={name}
        checked={isChosen}
        required
        aria-describedby={`${name}-limits`}
      />
      <label for={name}>{planName({ plan: name })}</label>
      <p class="quiet" id={`${name}-limits`}>
        {api_keys === 1 ? '1 API key, ' : `${api_keys} API keys, `}
        {oauth_applications === 1 ? '1 application; ' : `${oauth_applications} applications; `}
        {read_per_minute} reads and {update_per_minute} updates a minute for each token;{' '}
        {'per_month' in rest ? `${rest.per_month} requests a month` : 'no limit a month'}.
      </p>
    </div>
  )
}
