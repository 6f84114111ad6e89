import type { SignedIn } from '../contract/session.ts'
import styles from './app.module.css'
import { Header } from './header.tsx'
import { Month } from './month.tsx'
import { Organization, OtherOrganization } from './organization.tsx'
import { useQuotaReadings } from './quota.ts'
import { Gauges } from './rate-limit.tsx'
import { type Place, useTitle } from './router.ts'
import { Status } from './status.tsx'

export function Page({ session, place }: { session: SignedIn; place: Place }) {
  useQuotaReadings()
  const own = session.organization_id
  useTitle(own === undefined ? 'Organization' : `Organization ${own}`)
  const other = place.name === 'organization' && place.id !== own ? place.id : undefined
  return (
    <>
      <Header session={session} />
      <main className={styles.main}>
        <h1 className="unseen">Quota and organization</h1>
        <Status />
        <div className={styles.gauges}>
          <Gauges />
          <Month />
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
