import type { SignedIn } from '../../contract/session.ts'
import styles from '../components/app.module.css'
import { Header } from '../layout/header.tsx'
import { Month } from '../month/card.tsx'
import { Organization } from '../organization/card.tsx'
import { useOrganizationName } from '../record/organization-name.ts'
import { OtherOrganization } from '../organization/other.tsx'
import { useQuotaReadings } from '../quota/schedule.ts'
import { Gauges } from '../minute/gauges.tsx'
import { type Place, useTitle } from '../lib/router.ts'
import { Status } from './announcer.tsx'
import { signedInText } from '../text/text.ts'

export function Page({ session, place }: { session: SignedIn; place: Place }) {
  useQuotaReadings()
  const own = session.organization_id
  useTitle(useOrganizationName(session))
  const other = place.name === 'organization' && place.id !== own ? place.id : undefined
  return (
    <>
      <Header session={session} />
      <main id="main" className={styles.main}>
        <h1 className="unseen">{signedInText().page.heading}</h1>
        <Status />
        <div className={styles.gauges}>
          <Month session={session} />
          <Gauges />
        </div>
        {other === undefined ? (
          <Organization session={session} />
        ) : (
          <OtherOrganization session={session} id={other} />
        )}
      </main>
    </>
  )
}
