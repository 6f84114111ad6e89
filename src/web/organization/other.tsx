import { type OrganizationId, organizationPath } from '../../contract/organization.ts'
import type { SignedIn } from '../../contract/session.ts'
import { Notice } from '../components/notice.tsx'
import { followLink } from '../lib/router.ts'
import { usePriceFacts } from '../quota/query.ts'
import { lastOrganizations } from '../session/last-organizations.ts'
import { signInPrice, useEntry } from '../sign-in/entry.ts'
import { SignInButton, UseButton } from '../sign-in/organizations.tsx'
import { words } from '../text/text.ts'

/** For the address of an organization that does not belong to the session in use. */
export function OtherOrganization({ session, id }: { session: SignedIn; id: OrganizationId }) {
  const { organization_id: own, others = [], authorize } = session
  const entry = useEntry(authorize, organizationPath)
  const price = signInPrice(usePriceFacts(session))
  const { other: t } = words().organization
  const open = others.find(({ organization_id }) => organization_id === id)
  const known = lastOrganizations().find((one) => one.id === id) ?? { id }
  return (
    <section className="card" aria-labelledby="other">
      <h2 id="other">{t.heading(id)}</h2>
      <p>{own === undefined ? t.ofKey(id) : t.own(own)}</p>
      {entry.problem && <Notice problem={entry.problem} />}
      <div className="stack">
        {open ? (
          <UseButton session={open} primary entry={entry} />
        ) : (
          <>
            <p>{t.stays}</p>
            <SignInButton of={known} price={price} entry={entry} />
          </>
        )}
        <a href="/" onClick={followLink}>
          {own === undefined ? t.goToKey : t.goToOwn(own)}
        </a>
      </div>
    </section>
  )
}
