import type { SignedIn } from '../contract/session.ts'
import styles from './app.module.css'
import { Header } from './header.tsx'
import { Month } from './month.tsx'
import { Organization } from './organization.tsx'
import { useOrganizationName } from './organization-name.ts'
import { OtherOrganization } from './other-organization.tsx'
import { useQuotaReadings } from './quota-readings.ts'
import { Gauges } from './rate-limit.tsx'
import { type Place, useTitle } from './router.ts'
import { Status } from './status.tsx'
import { signedInText } from './text/text.ts'

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
