import { type QueryClient, QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { PROBLEMS, type Problem } from '../contract/problem.ts'
import styles from './app.module.css'
import { Boundary } from './boundary.tsx'
import { Callback } from './callback.tsx'
import { Mark } from './mark.tsx'
import { Notice } from './notice.tsx'
import { createQueryClient, sessionQuery } from './query.ts'
import { followLink, type Place, placeOf, usePathname, useTitle } from './router.ts'
import { recheckSession, useSessionGuard } from './session.ts'
import { SignIn } from './sign-in.tsx'
import { signOut, useSignOutGuard } from './sign-out.ts'
import { markedSignOut } from './sign-out-mark.ts'
import { dateWords } from './time.ts'
import { useUi } from './ui.ts'
import { Waiting } from './waiting.tsx'

// Loads while the server is asked who is signed in, and does not delay the sign-in page.
const signedIn = import('./signed-in.tsx')
const SignedInScreen = lazy(() => signedIn.then(({ SignedInScreen }) => ({ default: SignedInScreen })))

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
  useSignOutGuard()
  const place = placeOf(usePathname())
  const masked = useUi((ui) => ui.masked)
  const signOut = useUi((ui) => ui.signOut)
  if (place.name === 'unknown') return <NotFound />
  if (masked) return <Waiting />
  if (signOut?.kind === 'leaving') return <Waiting words="Signing out…" />
  if (signOut?.kind === 'unreported') return <UnreportedSignOut problem={signOut.problem} />
  if (signOut === undefined && markedSignOut() !== undefined) return <ResumedSignOut />
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
  if (!session.signed_in) return <SignIn application={session.authorize} ended={session.ended} />
  return (
    <Suspense fallback={<Waiting />}>
      <SignedInScreen key={session.id} session={session} place={place} />
    </Suspense>
  )
}

/** An earlier page could not finish its sign-out, so nothing is shown before it is done. */
function ResumedSignOut() {
  const client = useQueryClient()
  useEffect(() => void signOut(client), [client])
  return <Waiting words="Signing out…" />
}

function UnreportedSignOut({ problem }: { problem: Problem }) {
  const client = useQueryClient()
  const endsAtMs = markedSignOut()
  useTitle('Signed out in this browser')
  return (
    <Centre title="Signed out in this browser only">
      <p>
        This page has forgotten everything. The server did not confirm it, so the session may still be open
        there{endsAtMs !== undefined && `, until ${dateWords(endsAtMs)} at the latest`}. The sign-out is tried
        again by itself, also when this page is opened the next time.
      </p>
      <p role="alert">
        {PROBLEMS[problem.code].title}
        {problem.supportId && `, support id ${problem.supportId}`}.
      </p>
      <button type="button" data-kind="primary" onClick={() => void signOut(client)}>
        Sign out again
      </button>
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
