import type { ReactNode } from 'react'
import { CALLBACK_PATH } from '../../contract/authorize.ts'
import { PLANS } from '../../contract/plan.ts'
import type { SignedOut } from '../../contract/session.ts'
import { CopyField } from '../components/copy-field.tsx'
import { Mark } from '../components/icons.tsx'
import { focused, followLink, useTitle } from '../lib/router.ts'
import { words } from '../text/text.ts'

/** For administrators. @param application absent for a signed-in person, and until it is known */
export function Guide({ application }: { application: SignedOut['authorize'] | undefined }) {
  const t = words().guide
  const { oauth_applications, per_month } = PLANS.standard
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
      <Section heading={t.plans.heading}>
        <p>{t.plans.words}</p>
        <p>{t.plans.standardNote(oauth_applications, per_month)}</p>
      </Section>
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

function Section({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <section className="card">
      <h2>{heading}</h2>
      {children}
    </section>
  )
}
