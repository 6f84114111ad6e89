/** @jsxImportSource hono/jsx */
/** The plan, the limits and the use of one organization, with the forms that change them. */
import { PLANS } from '../../contract/plan.ts'
import { limitsOf } from '../limits/plan-limit.ts'
import type { Context } from '../state/context.ts'
import { LIMIT_CHANGES } from '../state/state.ts'
import { ActionForm, SchemaForm } from './form.tsx'
import { type Usage, USAGE } from './usage.ts'

interface OrganizationProps {
  context: Context
  csrfToken: string
  organization: Context['state']['organizations'][number]
  used: Usage
}

export const OrganizationCard = (props: OrganizationProps) => {
  const { context, csrfToken, organization, used } = props
  const limits = limitsOf(context, organization)
  const meters: [name: string, used: number, limit: number | undefined][] = [
    ['Month', used.month, limits.per_month],
    ['Reads, this minute', used.read, limits.read_per_minute],
    ['Updates, this minute', used.update, limits.update_per_minute],
  ]
  return (
    <section>
      <h2>
        {organization.name} <code>{organization.id}</code>
      </h2>
      {meters.map(([what, count, limit]) => (
        <div key={what}>
          <p>
            {what}: <strong>{count}</strong> {limit === undefined ? 'used, no limit' : `of ${limit} used`}
          </p>
          {limit !== undefined && <progress value={count} max={Math.max(1, limit)} aria-hidden="true" />}
        </div>
      ))}
      <ActionForm csrfToken={csrfToken} fields={{ organization_id: String(organization.id), do: 'plan' }}>
        <span class="row values">
          {Object.values(PLANS).map(({ name }) => (
            <button
              key={name}
              class="capital"
              name="plan"
              value={name}
              aria-pressed={name === organization.plan ? 'true' : 'false'}
            >
              {name}
            </button>
          ))}
        </span>
      </ActionForm>
      <LimitForms {...props} />
    </section>
  )
}

const LimitForms = ({ context, csrfToken, organization: { id }, used }: OrganizationProps) => {
  const common = { csrfToken, hidden: { organization_id: String(id) } }
  return (
    <details>
      <summary>Change limits and counts</summary>
      <SchemaForm {...common} action="usage" button="Set counts" entries={USAGE.entries} values={used} />
      <SchemaForm
        {...common}
        action="limits"
        button="Set limits"
        entries={LIMIT_CHANGES.entries}
        values={context.state.limits[id] ?? {}}
      />
      <p class="quiet">
        An empty limit is that of the plan. Counts of the minute are those of every credential.
      </p>
    </details>
  )
}
