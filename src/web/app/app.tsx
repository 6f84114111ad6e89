import type { QueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Problem } from '../../contract/problem.ts'
import type { Session, SignedIn } from '../../contract/session.ts'
import styles from '../components/app.module.css'
import { Boundary } from '../components/boundary.tsx'
import { Callback } from '../sign-in/callback.tsx'
import { Footer } from '../preferences/footer.tsx'
import { Guide, LateScreen, loadedScreen } from './lazy-screens.ts'
import { Mark } from '../components/icons.tsx'
import { Notice } from '../components/notice.tsx'
import { usePreferenceGuard } from '../preferences/preferences.ts'
import { isForStrangers, isOwnPage, isSidePage, type Place, placeOf } from '../../contract/page.ts'
import { followLink, usePathname, useTitle } from '../lib/router.ts'
import { askSession, useOtherTabs } from '../session/session.ts'
import { SignIn } from '../sign-in/sign-in.tsx'
import { SkipLink } from '../components/skip-link.tsx'
import { text } from '../text/text.ts'
import { useUi } from '../lib/ui.ts'
import { Waiting } from '../components/waiting.tsx'

type Answer = Session | Problem

export interface FirstScreen {
  /** Who is signed in, if the page needs to know and knows it. */
  asked?: Answer | undefined
  /** The client of the session's queries. */
  client?: QueryClient | undefined
  /** Runs when the page is there. */
  onDrawn?: () => void
}

const isOfPerson = (place: Place): boolean => isOwnPage(place) || isSidePage(place)
const isOfSession = (place: Place): boolean => isOfPerson(place) || place.name === 'guide'

export function App({ asked, client, onDrawn }: FirstScreen) {
  useLayoutEffect(() => onDrawn?.(), [onDrawn])
  // A change of the language or zone renders everything again.
  useUi(({ language, zone }) => `${language} ${zone}`)
  usePreferenceGuard()
  const isOutdated = useUi((ui) => ui.isOutdated)
  const place = placeOf(usePathname())
  useOtherTabs(isOfSession(place))
  const { answer, askAgain } = useAnswer(asked, isOfSession(place))
  // A signed-in person's pages have these choices in the account menu.
  const isOwn = answer !== undefined && 'signed_in' in answer && answer.signed_in && isOfPerson(place)
  return (
    <>
      <SkipLink />
      {isOutdated && (
        <div className={styles.centre} style={{ position: 'sticky', top: 0, zIndex: 1 }}>
          <Notice problem={new Problem('evidence_changed')} words={text().app.newVersion} />
        </div>
      )}
      <Boundary>
        <Screen place={place} answer={answer} askAgain={askAgain} client={client} />
      </Boundary>
      {!isOwn && <Footer />}
    </>
  )
}

/** Asks once who is signed in, if the page needs to know; after a failure only a press asks again. */
function useAnswer(asked: Answer | undefined, isNeeded: boolean) {
  const [answer, setAnswer] = useState(asked)
  const asking = useRef(false)
  const isMissing = isNeeded && answer === undefined
  useEffect(() => {
    if (!isMissing || asking.current) return
    asking.current = true
    const ask = async (): Promise<void> => {
      setAnswer(await askSession())
      asking.current = false
    }
    void ask()
  }, [isMissing])
  return { answer, askAgain: () => setAnswer(undefined) }
}

interface ScreenProps {
  place: Place
  answer: Answer | undefined
  askAgain: () => void
  client: QueryClient | undefined
}

function Screen({ place, answer, askAgain, client }: ScreenProps) {
  if (place.name === 'unknown') return <NotFound />
  if (isForStrangers(place)) return <LatePage place={place} />
  if (place.name === 'callback') return <Callback />
  if (place.name === 'guide') return <GuidePage answer={answer} />
  if (answer === undefined) return <Waiting />
  if (answer instanceof Problem)
    return (
      <Centre title="Plimsoll">
        <Notice problem={answer} again={askAgain} />
      </Centre>
    )
  return answer.signed_in ? (
    <LatePage session={answer} place={place} client={client} />
  ) : (
    <SignIn session={answer} />
  )
}

/** A page of a person who is signed in, or for strangers. */
function LatePage({
  session,
  place,
  client,
}: {
  session?: SignedIn
  place: Place
  client?: QueryClient | undefined
}) {
  const [{ Loaded }] = useState(() => ({ Loaded: loadedScreen() }))
  const screen = { session, place, known: client }
  if (Loaded) return <Loaded key={session?.id} {...screen} />
  return (
    <Suspense fallback={<Waiting />}>
      <LateScreen key={session?.id} {...screen} />
    </Suspense>
  )
}

/** Only who is not signed in sees the id of the application. */
function GuidePage({ answer }: { answer: Answer | undefined }) {
  const isStranger = answer !== undefined && !(answer instanceof Problem) && !answer.signed_in
  return (
    <Suspense fallback={<Waiting words={text().app.loadingPage} />}>
      <Guide application={isStranger ? answer.authorize : undefined} />
    </Suspense>
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
