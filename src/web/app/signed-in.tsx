import { type QueryClient, QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { SECOND_MS } from '../../contract/duration.ts'
import type { SignedIn } from '../../contract/session.ts'
import { Alerts } from '../alerts/alerts.tsx'
import { Live, sessionOwner } from '../live/live.tsx'
import { Home } from './home.tsx'
import { late } from '../lib/late.ts'
import { createQueryClient } from '../lib/query.ts'
import { useUi } from '../lib/ui.ts'
import { useRememberedOrganization } from '../organization/remember.ts'
import { isOwnPage, type Place } from '../../contract/page.ts'
import { isSameSession, sessionQuery } from '../session/query.ts'
import { SigningOut, useSignOutState } from '../session/sign-out.tsx'
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
  const [client] = useState(() => clientOf(session))
  return (
    <QueryClientProvider client={client}>
      <Suspense fallback={<Waiting words={text().app.loadingPage} />}>
        {session ? <OwnPage own={session} place={place} /> : <SideScreen session={session} place={place} />}
      </Suspense>
    </QueryClientProvider>
  )
}

/** After a refusal of the session the page asks who is signed in. */
function clientOf(session: SignedIn | undefined): QueryClient {
  const client: QueryClient = createQueryClient((problem) => {
    if (problem.status === 401 && session) void isSameSession(client, session, problem)
  })
  return client
}

function OwnPage({ own, place }: { own: SignedIn; place: Place }) {
  const { data: session, dataUpdatedAt } = useQuery(sessionQuery(own))
  const signOut = useSignOutState()
  if (signOut) return <SigningOut {...signOut} endsAtMs={dataUpdatedAt + session.ends_in * SECOND_MS} />
  return <CurrentPage session={session} place={place} />
}

function CurrentPage({ session, place }: { session: SignedIn; place: Place }) {
  useRememberedOrganization(session)
  return (
    <>
      <LiveSession session={session} />
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

/** The quota is no query yet, so its refusal is followed here. */
function LiveSession({ session }: { session: SignedIn }) {
  const client = useQueryClient()
  const [owner] = useState(() => sessionOwner(client, session))
  const refusal = useUi(({ quotaProblem }) => (quotaProblem?.status === 401 ? quotaProblem : undefined))
  useEffect(() => {
    if (refusal) void owner.confirm(refusal)
  }, [owner, refusal])
  return <Live owner={owner} />
}
