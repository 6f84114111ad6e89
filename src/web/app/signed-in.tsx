import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Problem } from '../../contract/problem.ts'
import type { SignedIn } from '../../contract/session.ts'
import { Alerts } from '../alerts/alerts.tsx'
import { Live, sessionOwner } from '../live/live.tsx'
import { Home } from './home.tsx'
import { late } from '../lib/late.ts'
import { createQueryClient } from '../lib/query.ts'
import { clientOf } from '../session/client.ts'
import { useRememberedOrganization } from '../organization/remember.ts'
import { isOwnPage, type Place } from '../../contract/page.ts'
import { currentSession, recheckSession } from '../session/session.ts'
import { loadWords, text } from '../text/text.ts'
import { Waiting } from '../components/waiting.tsx'

const SideScreen = lazy(() =>
  late(Promise.all([import('./side-screen.tsx'), loadWords('pages')])).then(([{ SideScreen }]) => ({
    default: SideScreen,
  })),
)

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
        {session ? (
          <CurrentPage session={session} place={place} />
        ) : (
          <SideScreen session={session} place={place} />
        )}
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
        {isOwnPage(place) ? (
          <Home session={session} place={place} />
        ) : (
          <SideScreen session={session} place={place} />
        )}
      </Suspense>
    </>
  )
}
