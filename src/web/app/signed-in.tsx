import { type QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { QuotaSnapshot } from '../../contract/quota.ts'
import type { SignedIn } from '../../contract/session.ts'
import { Alerts } from '../alerts/alerts.tsx'
import { createQueryClient } from '../lib/query.ts'
import { isOwnPage, type Place } from '../../contract/page.ts'
import { openQuota, putQuota, useQuota } from '../quota/query.ts'
import { Unread } from '../quota/live-word.tsx'
import { Follow } from '../quota/follow.ts'
import { useRememberedOrganization, useOrganizationName } from '../organization/summary.ts'
import { isSameSession, sessionQuery, SigningOut, useSignOutState } from '../session/own.tsx'
import { loadWords, text, words } from '../text/text.ts'
import { NoticePage, Waiting } from '../components/centre.tsx'
import { latePart } from '../components/late-part.tsx'
import { Header } from '../layout/header.tsx'
import { MonthCard } from '../month/card.tsx'
import { OrganizationCard, OtherOrganization } from '../organization/card.tsx'
import { MinuteCard } from '../minute/panel.tsx'
import { focusedByLink, followLink, useTitle } from '../lib/router.ts'
import { Announcer } from '../month/verdict.tsx'

interface ScreenProps {
  /** Absent on a page for strangers. */
  session: SignedIn | undefined
  place: Place
}

const SideScreen = latePart<ScreenProps>(
  () => Promise.all([import('./side-screen.tsx'), loadWords('pages')]).then(([{ SideScreen }]) => SideScreen),
  () => <Waiting words={text().app.loadingPage} />,
  ({ children }) => (
    <NoticePage>
      {children}
      <a href="/" onClick={followLink}>
        {text().app.goToStart}
      </a>
    </NoticePage>
  ),
)

/** @param known the client of the session, if the page has asked for something before it drew anything */
export function SignedInScreen({ known, ...screen }: ScreenProps & { known?: QueryClient | undefined }) {
  const { session, place } = screen
  const [client] = useState(() => known ?? clientOf(session, place))
  return (
    <QueryClientProvider client={client}>
      {session ? <OwnPage own={session} place={place} /> : <SideScreen session={session} place={place} />}
    </QueryClientProvider>
  )
}

/** After a refusal of the session the page asks who is signed in. */
function clientOf(session: SignedIn | undefined, place?: Place): QueryClient {
  const client: QueryClient = createQueryClient((problem) => {
    if (problem.status === 401 && session) void isSameSession(client, session, problem)
  })
  if (session) openQuota(client, { session: session.id })
  else if (place?.name === 'watched') openQuota(client, { link: place.id })
  return client
}

/** @param quota of the document, if it had one @param atMs when the document came */
export function createClient(session: SignedIn, quota: QuotaSnapshot | undefined, atMs: number): QueryClient {
  const client = clientOf(session)
  client.setQueryData(sessionQuery(session).queryKey, session, { updatedAt: atMs })
  if (quota) putQuota(client, quota, atMs)
  return client
}

function OwnPage({ own, place }: { own: SignedIn; place: Place }) {
  const signOut = useSignOutState()
  return signOut ? <SigningOut {...signOut} /> : <CurrentPage own={own} place={place} />
}

function CurrentPage({ own, place }: { own: SignedIn; place: Place }) {
  const { data: session } = useQuery(sessionQuery(own))
  const [of] = useState({ session: session.id })
  return (
    <>
      <Follow of={of} />
      <Remember session={session} />
      <Alerts session={session} />
      {isOwnPage(place) ? (
        <Home session={session} place={place} />
      ) : (
        <SideScreen session={session} place={place} />
      )}
    </>
  )
}

/** Draws nothing, since the page does not change with what it remembers. */
function Remember({ session }: { session: SignedIn }) {
  useRememberedOrganization(session)
  return null
}

export function Home({ session, place }: { session: SignedIn; place: Place }) {
  const own = session.organization_id
  const other = place.name === 'organization' && place.id !== own ? place.id : undefined
  const isRead = useQuota(() => true)
  return (
    <>
      <Title session={session} />
      <Header session={session} />
      <main id="main" className="page">
        <h1 key={other} className="unseen" tabIndex={-1} ref={focusedByLink}>
          {words().header.heading}
        </h1>
        <Announcer />
        {!isRead && <Unread />}
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
