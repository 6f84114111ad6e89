import { type QueryClient, QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Problem } from '../contract/problem.ts'
import styles from './app.module.css'
import { Boundary } from './boundary.tsx'
import { Callback } from './callback.tsx'
import { Mark } from './mark.tsx'
import { Notice } from './notice.tsx'
import { createQueryClient, sessionQuery } from './query.ts'
import { followLink, type Place, placeOf, usePathname, useTitle } from './router.ts'
import { recheckSession, signOut, useSessionGuard } from './session.ts'
import { SignIn } from './sign-in.tsx'
import { useUi } from './ui.ts'

// Loads while the server is asked who is signed in, and does not delay the sign-in page.
const page = import('./page.tsx')
const Page = lazy(() => page.then(({ Page }) => ({ default: Page })))

export function App() {
  const [client] = useState(() => createQueryClient(onProblem))
  return (
    <QueryClientProvider client={client}>
      <Boundary>
        <Screen />
      </Boundary>
    </QueryClientProvider>
  )
}

function onProblem(problem: Problem, client: QueryClient): void {
  if (problem.status === 401 && client.getQueryData(sessionQuery.queryKey)?.signed_in)
    void recheckSession(client, problem)
}

function Screen() {
  useSessionGuard()
  const place = placeOf(usePathname())
  const masked = useUi((ui) => ui.masked)
  const unreported = useUi((ui) => (ui.signOut?.kind === 'unreported' ? ui.signOut.problem : undefined))
  if (place.name === 'unknown') return <NotFound />
  if (masked) return <Waiting />
  if (unreported) return <UnreportedSignOut problem={unreported} />
  return place.name === 'callback' ? <Callback /> : <BySession place={place} />
}

function BySession({ place }: { place: Place }) {
  const { data: session, error, isFetching, refetch } = useQuery(sessionQuery)
  if (error && !session && !isFetching)
    return (
      <Centre title="Plimsoll">
        <Notice
          problem={error}
          actions={{ again: { label: 'Try again · free', run: () => void refetch() } }}
        />
      </Centre>
    )
  if (!session) return <Waiting />
  if (!session.signed_in) return <SignIn application={session.authorize} />
  return (
    <Suspense fallback={<Waiting />}>
      <Page key={session.id} session={session} place={place} />
    </Suspense>
  )
}

function Waiting() {
  return (
    <main className="waiting">
      <Mark size={56} />
      <output>Asking who is signed in…</output>
    </main>
  )
}

function UnreportedSignOut({ problem }: { problem: Problem }) {
  const client = useQueryClient()
  useTitle('Signed out in this tab')
  return (
    <Centre title="Signed out in this tab only">
      <p>
        This page has forgotten everything. The server could not be reached, so the session may still be open
        there: until it ends, this browser can return to it.
      </p>
      <Notice
        problem={problem}
        actions={{ again: { label: 'Sign out again', run: () => void signOut(client) } }}
      />
    </Centre>
  )
}

function NotFound() {
  useTitle('Not found')
  return (
    <Centre title="There is nothing at this address">
      <p>The address may be mistyped. The address of an organization is /organizations/ and its number.</p>
      <a href="/" onClick={followLink}>
        Go to the start page
      </a>
    </Centre>
  )
}

function Centre({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={styles.centre}>
      <Mark size={56} />
      <h1>{title}</h1>
      {children}
    </main>
  )
}
