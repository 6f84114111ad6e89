import { lazy, Suspense } from 'react'
import type { SignedIn } from '../contract/session.ts'
import { Alerts } from './alerts.tsx'
import { Live } from './live.tsx'
import { Page } from './page.tsx'
import { useRememberedOrganization } from './remember-organization.ts'
import type { Place } from './router.ts'
import { text } from './text/text.ts'
import { Waiting } from './waiting.tsx'

const Ledger = lazy(() => import('./ledger.tsx').then(({ Ledger }) => ({ default: Ledger })))
const Learnt = lazy(() => import('./learnt.tsx').then(({ Learnt }) => ({ default: Learnt })))
const Organizations = lazy(() =>
  import('./organizations.tsx').then(({ Organizations }) => ({ default: Organizations })),
)
const Sessions = lazy(() => import('./sessions.tsx').then(({ Sessions }) => ({ default: Sessions })))

/** What a person sees who is signed in; up to date at every address. */
export function SignedInScreen({ session, place }: { session: SignedIn; place: Place }) {
  useRememberedOrganization(session)
  return (
    <>
      <Live session={session} />
      <Alerts session={session} />
      <Suspense fallback={<Waiting words={text().app.loadingPage} />}>
        {place.name === 'organizations' && <Organizations session={session} />}
        {place.name === 'sessions' && <Sessions session={session} />}
        {place.name === 'ledger' && <Ledger session={session} />}
        {place.name === 'learnt' && <Learnt session={session} />}
        {(place.name === 'home' || place.name === 'organization') && <Page session={session} place={place} />}
      </Suspense>
    </>
  )
}
