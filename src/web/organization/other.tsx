import { useState } from 'react'
import { organizationPath, type OrganizationId } from '../../contract/organization.ts'
import type { Problem } from '../../contract/problem.ts'
import type { SignedIn } from '../../contract/session.ts'
import styles from '../components/data.module.css'
import { DirectButton } from '../sign-in/known-organizations.tsx'
import { rememberedName } from '../session/last-organizations.ts'
import { Notice } from '../components/notice.tsx'
import { UseButton } from '../sign-in/open-organizations.tsx'
import { followLink } from '../lib/router.ts'
import { usePriceFacts } from '../quota/query.ts'
import { signInPrice } from '../sign-in/price.ts'
import { useStart } from '../sign-in/start.ts'
import { words } from '../text/text.ts'

/** For the address of an organization that does not belong to the session in use. */
export function OtherOrganization({ session, id }: { session: SignedIn; id: OrganizationId }) {
  const { organization_id: own, others = [], authorize } = session
  const [problem, setProblem] = useState<Problem>()
  const start = useStart(authorize, organizationPath)
  const price = signInPrice(usePriceFacts(session))
  const { other: t } = words().organization
  const open = others.find(({ organization_id }) => organization_id === id)
  const name = rememberedName(id)
  return (
    <section className={styles.card} aria-labelledby="other">
      <h2 id="other">{t.heading(id)}</h2>
      <p>{own === undefined ? t.ofKey(id) : t.own(own)}</p>
      {problem && <Notice problem={problem} />}
      <div className={styles.offer}>
        {open ? (
          <UseButton session={open} primary onProblem={setProblem} />
        ) : (
          <>
            <p>{t.stays}</p>
            <DirectButton
              id={id}
              {...(name !== undefined && { name })}
              start={start}
              price={price}
              onProblem={setProblem}
            />
          </>
        )}
        <a href="/" onClick={followLink}>
          {own === undefined ? t.goToKey : t.goToOwn(own)}
        </a>
      </div>
    </section>
  )
}
