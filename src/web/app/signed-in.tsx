import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Problem } from '../../contract/problem.ts'
import type { SignedIn } from '../../contract/session.ts'
import { Alerts } from '../alerts/alerts.tsx'
import { Live } from '../live/live.tsx'
import { Home } from './home.tsx'
import { clientOf } from '../session/client.ts'
import { useRememberedOrganization } from '../organization/remember.ts'
import { isOwnPage, type Place } from '../../contract/page.ts'
import { currentSession, recheckSession } from '../session/session.ts'
import { loadSidePagesText, text } from '../text/text.ts'
import { Waiting } from '../components/waiting.tsx'

const withTexts = <Module,>(module: Promise<Module>): Promise<Module> =>
  Promise.all([module, loadSidePagesText()]).then(([module]) => module)

const Ledger = lazy(() =>
  withTexts(import('../ledger/ledger.tsx')).then(({ Ledger }) => ({ default: Ledger })),
)
const MonthsBefore = lazy(() =>
  withTexts(import('../months/months.tsx')).then(({ MonthsBefore }) => ({ default: MonthsBefore })),
)
const Learnt = lazy(() =>
  withTexts(import('../evidence/evidence.tsx')).then(({ Learnt }) => ({ default: Learnt })),
)
const Organizations = lazy(() =>
  withTexts(import('../organization/organizations.tsx')).then(({ Organizations }) => ({
    default: Organizations,
  })),
)
const Sessions = lazy(() =>
  withTexts(import('../sessions/sessions.tsx')).then(({ Sessions }) => ({ default: Sessions })),
)

interface ScreenProps {
  session: SignedIn
  place: Place
}

export function SignedInScreen(props: ScreenProps) {
  const [client] = useState(() => clientOf(props.session, onProblem))
  return (
    <QueryClientProvider client={client}>
      <CurrentPage {...props} />
    </QueryClientProvider>
  )
}

function onProblem(problem: Problem): void {
  if (problem.status === 401 && currentSession()?.signed_in) void recheckSession(problem)
}

function CurrentPage({ session, place }: ScreenProps) {
  useRememberedOrganization(session)
  return (
    <>
      <Live session={session} />
      <Alerts session={session} />
      <Suspense fallback={<Waiting words={text().app.loadingPage} />}>
        {place.name === 'organizations' && <Organizations session={session} />}
        {place.name === 'sessions' && <Sessions session={session} />}
        {place.name === 'ledger' && <Ledger session={session} />}
        {place.name === 'months' && <MonthsBefore session={session} />}
        {place.name === 'learnt' && <Learnt session={session} />}
        {isOwnPage(place) && <Home session={session} place={place} />}
      </Suspense>
    </>
  )
}
