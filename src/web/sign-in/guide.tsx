import { type ReactNode, useId } from 'react'
import { CALLBACK_PATH } from '../../contract/authorize.ts'
import { type Plan, PLANS } from '../../contract/plan.ts'
import type { SignedOut } from '../../contract/session.ts'
import { CopyField } from '../components/copy-field.tsx'
import { Mark } from '../components/icons.tsx'
import { type Column, Table } from '../components/table.tsx'
import { focused, followLink, useTitle } from '../lib/router.ts'
import { words } from '../text/text.ts'

/** For administrators. @param application absent for a signed-in person, and until it is known */
export function Guide({ application }: { application: SignedOut['authorize'] | undefined }) {
  const t = words().guide
  useTitle(t.title)
  return (
    <main id="main" className="page">
      <Mark size={40} />
      <h1 ref={focused} tabIndex={-1}>
        {t.title}
      </h1>
      <p>{t.lead}</p>
      <Register redirectUri={application?.redirect_uri ?? location.origin + CALLBACK_PATH} />
      <Section heading={t.credentials.heading}>
        <p>{t.credentials.words}</p>
        {application && (
          <p>
            {t.credentials.inUse} <code>{application.client_id}</code>
          </p>
        )}
      </Section>
      <Section heading={t.people.heading}>
        <p>{t.people.words}</p>
      </Section>
      <Plans />
      <Section heading={t.key.heading}>
        <p>{t.key.words}</p>
      </Section>
      <p>
        <a href="/" onClick={followLink}>
          {application ? t.back : words().sidePage.back}
        </a>
      </p>
    </main>
  )
}

function Register({ redirectUri }: { redirectUri: string }) {
  const t = words().guide.register
  return (
    <Section heading={t.heading}>
      <ol>
        <li>{t.where}</li>
        <li>{t.name}</li>
        <li>
          <CopyField label={t.redirect} value={redirectUri} />
        </li>
        <li>{t.terms}</li>
      </ol>
    </Section>
  )
}

function Section({ heading, id, children }: { heading: string; id?: string; children: ReactNode }) {
  return (
    <section className="card">
      <h2 id={id}>{heading}</h2>
      {children}
    </section>
  )
}

const PLAN_ROWS = {
  month: 'per_month',
  read: 'read_per_minute',
  update: 'update_per_minute',
  applications: 'oauth_applications',
  keys: 'api_keys',
} as const satisfies Record<string, keyof Plan>
const ROWS = Object.keys(PLAN_ROWS) as (keyof typeof PLAN_ROWS)[]

function Plans() {
  const t = words().guide.plans
  const id = useId()
  const { oauth_applications, per_month } = PLANS.standard
  const limitOf =
    (plan: Plan): Column<keyof typeof PLAN_ROWS>['of'] =>
    (row) =>
      plan[PLAN_ROWS[row]] ?? t.unlimited
  return (
    <Section heading={t.heading} id={id}>
      <Table
        labelledBy={id}
        rows={ROWS}
        keyOf={(row) => row}
        columns={[
          { name: t.item, of: (row) => t[row] },
          { name: t.standard, of: limitOf(PLANS.standard), as: 'number' },
          { name: t.business, of: limitOf(PLANS.business), as: 'number' },
        ]}
      />
      <p>{t.words}</p>
      <p>{t.standardNote(oauth_applications, per_month)}</p>
    </Section>
  )
}
