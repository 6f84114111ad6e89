import { QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense, useState } from 'react'
import type { Problem } from '../../contract/problem.ts'
import type { SignedIn } from '../../contract/session.ts'
import { Alerts } from '../alerts/alerts.tsx'
import { Live, sessionOwner } from '../live/live.tsx'
import { Home } from './home.tsx'
import { createQueryClient } from '../lib/query.ts'
import { clientOf } from '../session/client.ts'
import { useRememberedOrganization } from '../organization/remember.ts'
import { isOwnPage, type Place } from '../../contract/page.ts'
import { currentSession, recheckSession } from '../session/session.ts'
import { loadSidePagesText, text } from '../text/text.ts'
import { Waiting } from '../components/waiting.tsx'

/** A screen of its own file, which needs the texts of the side pages too. */
const late = <Props,>(load: () => Promise<ComponentType<Props>>) =>
  lazy(() => Promise.all([load(), loadSidePagesText()]).then(([screen]) => ({ default: screen })))

const Ledger = late(() => import('../ledger/ledger.tsx').then(({ Ledger }) => Ledger))
const MonthsBefore = late(() => import('../months/months.tsx').then(({ MonthsBefore }) => MonthsBefore))
const Learnt = late(() => import('../evidence/evidence.tsx').then(({ Learnt }) => Learnt))
const Organizations = late(() =>
  import('../organization/organizations.tsx').then(({ Organizations }) => Organizations),
)
const Sessions = late(() => import('../sessions/sessions.tsx').then(({ Sessions }) => Sessions))
const Links = late(() => import('../watch/links.tsx').then(({ Links }) => Links))
const Offer = late(() => import('../pairing/offer.tsx').then(({ Offer }) => Offer))
const SecondBrowser = late(() =>
  import('../pairing/second-browser.tsx').then(({ SecondBrowser }) => SecondBrowser),
)
const Watched = late(() => import('./watched.tsx').then(({ Watched }) => Watched))

interface ScreenProps {
  /** Absent on a page for strangers. */
  session: SignedIn | undefined
  place: Place
}

export function SignedInScreen({ session, place }: ScreenProps) {
  const [client] = useState(() => (session ? clientOf(session, onProblem) : createQueryClient(() => {})))
  return (
    <QueryClientProvider client={client}>
      <Suspense fallback={<Waiting words={text().app.loadingPage} />}>
        {session && <CurrentPage session={session} place={place} />}
        {place.name === 'watched' && <Watched id={place.id} />}
        {place.name === 'pair' && <SecondBrowser />}
      </Suspense>
    </QueryClientProvider>
  )
}

function onProblem(problem: Problem): void {
  if (problem.status === 401 && currentSession()?.signed_in) void recheckSession(problem)
}

function CurrentPage({ session, place }: { session: SignedIn; place: Place }) {
  useRememberedOrganization(session)
  return (
    <>
      <Live id={session.id} ownerOf={sessionOwner} />
      <Alerts session={session} />
      <Suspense fallback={<Waiting words={text().app.loadingPage} />}>
        {place.name === 'organizations' && <Organizations session={session} />}
        {place.name === 'sessions' && <Sessions session={session} />}
        {place.name === 'ledger' && <Ledger session={session} />}
        {place.name === 'months' && <MonthsBefore session={session} />}
        {place.name === 'links' && <Links session={session} />}
        {place.name === 'device' && <Offer session={session} />}
        {place.name === 'learnt' && <Learnt session={session} />}
        {isOwnPage(place) && <Home session={session} place={place} />}
      </Suspense>
    </>
  )
}
