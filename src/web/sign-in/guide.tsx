import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { CALLBACK_PATH } from '../../contract/authorize.ts'
import { PLANS, type Plan } from '../../contract/plan.ts'
import type { SignedOut } from '../../contract/session.ts'
import styles from './guide.module.css'
import { CopyButton } from '../components/copy-field.tsx'
import { IdPicture } from './id-picture.tsx'
import { Mark } from '../components/icons.tsx'
import { followLink, useTitle } from '../lib/router.ts'
import { text, words } from '../text/text.ts'

/** For administrators. @param application absent for a signed-in person, and until it is known */
export function Guide({ application }: { application: SignedOut['authorize'] | undefined }) {
  const t = words().guide
  const heading = useRef<HTMLHeadingElement>(null)
  useTitle(t.title)
  useLayoutEffect(() => heading.current?.focus(), [])
  return (
    <main id="main" className={styles.guide}>
      <Mark size={40} />
      <h1 ref={heading} tabIndex={-1}>
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
        <IdPicture label={text().signIn.where.picture} />
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

function Section({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h2>{heading}</h2>
      {children}
    </section>
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
          {t.redirect}
          <Copyable value={redirectUri} />
        </li>
        <li>{t.terms}</li>
      </ol>
    </Section>
  )
}

function Copyable({ value }: { value: string }) {
  const place = useRef<HTMLElement>(null)
  return (
    <div className={styles.copyable}>
      <code ref={place}>{value}</code>
      <CopyButton
        value={value}
        onPress={() => place.current && getSelection()?.selectAllChildren(place.current)}
      />
    </div>
  )
}

type PlanRow = 'applications' | 'keys' | 'read' | 'update' | 'month'
const PLAN_ROWS: Record<PlanRow, (plan: Plan) => number | undefined> = {
  month: ({ per_month }) => per_month,
  read: ({ read_per_minute }) => read_per_minute,
  update: ({ update_per_minute }) => update_per_minute,
  applications: ({ oauth_applications }) => oauth_applications,
  keys: ({ api_keys }) => api_keys,
}
const COLUMNS = ['standard', 'business'] as const

function Plans() {
  const t = words().guide.plans
  const { oauth_applications, per_month } = PLANS.standard
  return (
    <Section heading={t.heading}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t.item}</th>
            {COLUMNS.map((name) => (
              <th key={name} scope="col">
                {t[name]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(Object.keys(PLAN_ROWS) as PlanRow[]).map((row) => (
            <tr key={row}>
              <th scope="row">{t[row]}</th>
              {COLUMNS.map((name) => (
                <td key={name}>{PLAN_ROWS[row](PLANS[name]) ?? t.unlimited}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p>{t.words}</p>
      <p>{t.standardNote(oauth_applications, per_month)}</p>
    </Section>
  )
}
