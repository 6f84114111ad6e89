import type { SignedIn } from '../../contract/session.ts'
import { Header } from '../layout/header.tsx'
import { MonthCard } from '../month/card.tsx'
import { OrganizationCard } from '../organization/card.tsx'
import { useOrganizationName } from '../organization/name.ts'
import { OtherOrganization } from '../organization/other.tsx'
import { MinuteCard } from '../minute/card.tsx'
import { type Place } from '../../contract/page.ts'
import { useHeading, useTitle } from '../lib/router.ts'
import { Announcer } from '../month/announcer.tsx'
import { words } from '../text/text.ts'

export function Home({ session, place }: { session: SignedIn; place: Place }) {
  const own = session.organization_id
  const heading = useHeading()
  const other = place.name === 'organization' && place.id !== own ? place.id : undefined
  return (
    <>
      <Title session={session} />
      <Header session={session} />
      <main id="main" className="page">
        <h1 className="unseen" tabIndex={-1} ref={heading}>
          {words().header.heading}
        </h1>
        <Announcer />
        <MonthCard session={session} />
        <div className="two">
          <MinuteCard />
          {other === undefined ? (
            <OrganizationCard session={session} />
          ) : (
            <OtherOrganization session={session} id={other} />
          )}
        </div>
      </main>
    </>
  )
}

/** Draws nothing, since the rest of the page does not change with the name. */
function Title({ session }: { session: SignedIn }) {
  useTitle(useOrganizationName(session))
  return null
}
