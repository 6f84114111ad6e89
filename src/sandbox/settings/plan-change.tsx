/** @jsxImportSource hono/jsx */
/** Changes the plan of an organization: when that takes effect, and what becomes of keys and applications that are too many. */
import { PLANS, type PlanName } from '../../contract/plan.ts'
import { ErrorList, OwnForm } from './field.tsx'
import { API_KEYS, APPLICATIONS, type Kind, planName } from './maximum.tsx'
import type { Member } from './member.ts'
import { instant, monthOf } from '../limits/month.tsx'
import type { Choices } from '../choices/choices.ts'
import { type Done, goTo, writeSettings } from './settings-page.tsx'
import type { ApiKey, Application, Frozen, Organization, SandboxState } from '../state/state.ts'
import type { Context } from '../state/context.ts'

type Answer = Response | Promise<Response>
type Issued = Pick<ApiKey | Application, 'disabled_by'>

/** When the other plan begins (U73); each answers what the page then says. */
const CHANGES: Record<
  Choices['planchange'],
  (context: Context, organization: Frozen<Organization>, plan: PlanName) => Done
> = {
  at_once_count_kept: (context, { id }, plan) => {
    begin(context, id, plan)
    return 'plan_changed'
  },
  at_once_count_restarted: (context, { id }, plan) => {
    begin(context, id, plan)
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

/** What a smaller plan does to a list that is too long (U74): how many of the oldest stay in use. */
const DOWNGRADES: Record<Choices['downgrade'], { isRefused: boolean; stays: (most: number) => number }> = {
  kept: { isRefused: false, stays: () => Number.POSITIVE_INFINITY },
  newest_disabled: { isRefused: false, stays: (most) => most },
  all_disabled: { isRefused: false, stays: () => 0 },
  refused: { isRefused: true, stays: () => Number.POSITIVE_INFINITY },
}

/** Begins the plans whose month has come (U73). To be called before a request is answered. */
export function applyDuePlanChanges(context: Context): void {
  for (const { id, next_plan } of context.state.organizations)
    if (next_plan && context.nowMs >= next_plan.from_ms) begin(context, id, next_plan.plan)
}

/** The plan of an organization from this instant on. */
function begin(context: Context, id: number, plan: PlanName): void {
  context.change((state) => {
    for (const organization of state.organizations.filter((known) => known.id === id)) {
      organization.plan = plan
      delete organization.next_plan
    }
    const { api_keys, oauth_applications } = PLANS[plan]
    const isListed = (one: ApiKey | Application) => one.organization_id === id && !('deleted_at_ms' in one)
    fit(state.api_keys.filter(isListed), api_keys, context.choices)
    fit(state.applications.filter(isListed), oauth_applications, context.choices)
  })
}

/** Disables what is too many; where there is room, enables what a plan had disabled. */
function fit(
  issued: readonly Issued[],
  most: number,
  { downgrade }: Pick<Frozen<Choices>, 'downgrade'>,
): void {
  const stays = issued.length > most ? DOWNGRADES[downgrade].stays(most) : issued.length
  for (const [place, one] of issued.entries()) {
    if (place >= stays) one.disabled_by ??= 'plan'
    else if (one.disabled_by === 'plan' && issued.length <= most) delete one.disabled_by
  }
}

/** Why the plan cannot be changed to a smaller one (U74). */
function reasonAgainstPlan({ context, organization }: Member, plan: PlanName): string | undefined {
  if (!DOWNGRADES[context.choices.downgrade].isRefused) return undefined
  const tooMany = [API_KEYS, APPLICATIONS].filter(
    (kind) => countOf(context.state, kind, organization.id) > kind.most(PLANS[plan]),
  )
  if (tooMany.length === 0) return undefined
  const lists = tooMany.map(
    (kind) =>
      `${kind.most(PLANS[plan])} of your ${countOf(context.state, kind, organization.id)} ${kind.many}`,
  )
  return `The ${planName({ plan })} plan has room for ${lists.join(' and ')}. Delete the others first.`
}

const countOf = (state: Frozen<SandboxState>, kind: Kind, organizationId: number): number =>
  kind.list(state, organizationId).length

/** The form that changes the plan, for administrators. */
export const planForm = (member: Member): Answer => writePlan(member)

/** Changes the plan; choosing the one that there is takes a planned change back. */
export function changePlan(member: Member, form: URLSearchParams): Answer {
  const { context, organization } = member
  const chosen = Object.values(PLANS).find(({ name }) => name === form.getAll('plan').join(' '))?.name
  if (chosen === undefined) return writePlan(member, 'Choose one of the plans.', 422)
  if (chosen === organization.plan) {
    context.change(({ organizations }) => {
      for (const one of organizations) if (one.id === organization.id) delete one.next_plan
    })
    return goTo(member, 'plan', 'plan_kept')
  }
  const reason = reasonAgainstPlan(member, chosen)
  if (reason !== undefined) return writePlan(member, reason, 409)
  return goTo(member, 'plan', CHANGES[context.choices.planchange](context, organization, chosen))
}

const writePlan = (member: Member, fault?: string, status = 200): Answer => {
  const { organization } = member
  const planned = organization.next_plan
  return writeSettings(
    member,
    { title: 'Plan', status, isFaulty: fault !== undefined },
    <section class="card">
      <ErrorList faults={{ form: fault }} />
      {planned && (
        <p class="hint">
          {planName(organization)} until{' '}
          <time datetime={new Date(planned.from_ms).toISOString()}>{instant(planned.from_ms)}</time>, then{' '}
          {planName(planned)}.
        </p>
      )}
      <OwnForm member={member} class="form">
        <fieldset>
          <legend>Plan of the organization</legend>
          <div class="plans">
            {Object.values(PLANS).map((plan) => (
              <PlanChoice key={plan.name} name={plan.name} isChosen={plan.name === organization.plan} />
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

const PlanChoice = ({ name, isChosen }: { name: PlanName; isChosen: boolean }) => {
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
        aria-describedby={`${name}-has`}
      />
      <label for={name}>{planName({ plan: name })}</label>
      <p class="quiet" id={`${name}-has`}>
        {api_keys === 1 ? '1 API key, ' : `${api_keys} API keys, `}
        {oauth_applications === 1 ? '1 application; ' : `${oauth_applications} applications; `}
        {read_per_minute} reads and {update_per_minute} updates a minute for each token;{' '}
        {'per_month' in rest ? `${rest.per_month} requests a month` : 'no limit a month'}.
      </p>
    </div>
  )
}
