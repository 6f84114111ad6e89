import { createElement, type ReactNode, Suspense, useEffect, useState } from 'react'
import { Problem } from '../../contract/problem.ts'
import type { SignedIn } from '../../contract/session.ts'
import styles from '../components/app.module.css'
import { Boundary } from '../components/boundary.tsx'
import { Callback } from '../sign-in/callback.tsx'
import { Footer } from '../preferences/footer.tsx'
import { useShortcuts } from '../preferences/shortcuts.ts'
import { Guide, signedInScreen } from './lazy-screens.ts'
import { Mark } from '../components/icons.tsx'
import { Notice } from '../components/notice.tsx'
import { usePreferenceGuard } from '../preferences/preferences.ts'
import { isForStrangers, isOwnPage, isSidePage, type Place, placeOf } from '../../contract/page.ts'
import { followLink, usePathname, useTitle } from '../lib/router.ts'
import { askSession, isSessionUnknown, useSessionGuard, useSessionState } from '../session/session.ts'
import { SignIn } from '../sign-in/sign-in.tsx'
import { signOut, useSignOutGuard } from '../session/sign-out.ts'
import { markedSignOut } from '../session/sign-out-mark.ts'
import { SkipLink } from '../components/skip-link.tsx'
import { dateWords } from '../text/format.ts'
import { text } from '../text/text.ts'
import { useUi } from '../lib/ui.ts'
import { Waiting } from '../components/waiting.tsx'

export function App() {
  // A change of the language renders everything again.
  useUi((ui) => ui.language)
  usePreferenceGuard()
  useShortcuts()
  const sheet = useUi(({ sheet }) => sheet)
  const isOutdated = useUi((ui) => ui.isOutdated)
  return (
    <>
      <SkipLink />
      {isOutdated && (
        <div className={styles.centre} style={{ position: 'sticky', top: 0, zIndex: 1 }}>
          <Notice problem={new Problem('evidence_changed')} words={text().app.newVersion} />
        </div>
      )}
      <Boundary>
        <Screen />
      </Boundary>
      <SignedOutFooter />
      {sheet && createElement(sheet)}
    </>
  )
}

/** A signed-in person's pages have its choices in the account menu. */
function SignedOutFooter() {
  const place = placeOf(usePathname())
  const isSignedIn = useSessionState(({ session }) => session?.signed_in === true)
  return isSignedIn && (isOwnPage(place) || isSidePage(place)) ? null : <Footer />
}

function Screen() {
  useSessionGuard()
  useSignOutGuard()
  const place = placeOf(usePathname())
  const masked = useUi((ui) => ui.masked)
  const signOut = useUi((ui) => ui.signOut)
  if (place.name === 'unknown') return <NotFound />
  if (masked) return <Waiting />
  if (isForStrangers(place)) return <LatePage place={place} />
  if (signOut?.kind === 'leaving') return <Waiting words={text().app.signingOut} />
  if (signOut?.kind === 'unreported') return <UnreportedSignOut problem={signOut.problem} />
  if (signOut === undefined && markedSignOut() !== undefined) return <ResumedSignOut />
  if (place.name === 'callback') return <Callback />
  return place.name === 'guide' ? <GuidePage /> : <BySession place={place} />
}

/** Asks once; after a failure only a press asks again. */
function useSession() {
  const state = useSessionState()
  const isUnknown = isSessionUnknown(state)
  useEffect(() => {
    if (isUnknown && isSessionUnknown()) void askSession()
  }, [isUnknown])
  return state
}

function BySession({ place }: { place: Place }) {
  const { session, problem } = useSession()
  if (problem)
    return (
      <Centre title="Plimsoll">
        <Notice
          problem={problem}
          actions={{ again: { label: text().app.tryAgainFree, run: () => void askSession() } }}
        />
      </Centre>
    )
  if (!session) return <Waiting />
  if (!session.signed_in) return <SignIn session={session} />
  return <LatePage session={session} place={place} />
}

/** A page of a person who is signed in, or for strangers. */
function LatePage({ session, place }: { session?: SignedIn; place: Place }) {
  const [Screen] = useState(signedInScreen)
  return (
    <Suspense fallback={<Waiting />}>
      <Screen key={session?.id} session={session} place={place} />
    </Suspense>
  )
}

/** Only who is not signed in sees the id of the application. */
function GuidePage() {
  const { session } = useSession()
  return (
    <Suspense fallback={<Waiting words={text().app.loadingPage} />}>
      <Guide application={session?.signed_in === false ? session.authorize : undefined} />
    </Suspense>
  )
}

/** Finishes the sign-out of an earlier page before anything is shown. */
function ResumedSignOut() {
  useEffect(() => void signOut(), [])
  return <Waiting words={text().app.signingOut} />
}

function UnreportedSignOut({ problem }: { problem: Problem }) {
  const endsAtMs = markedSignOut()
  const t = text().app.unreported
  useTitle(t.title)
  return (
    <Centre title={t.heading}>
      <p>{t.words(endsAtMs === undefined ? undefined : dateWords(endsAtMs))}</p>
      <p role="alert">{t.problem(text().problem[problem.code].title, problem.supportId)}</p>
      <button type="button" data-kind="primary" onClick={() => void signOut()}>
        {t.again}
      </button>
    </Centre>
  )
}

function NotFound() {
  const { notFound: t, goToStart } = text().app
  useTitle(t.title)
  return (
    <Centre title={t.heading}>
      <p>{t.words}</p>
      <a href="/" onClick={followLink}>
        {goToStart}
      </a>
    </Centre>
  )
}

function Centre({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main id="main" className={styles.centre}>
      <Mark size={56} />
      <h1>{title}</h1>
      {children}
    </main>
  )
}
