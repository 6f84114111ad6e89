import type { QueryClient } from '@tanstack/react-query'
import { type MouseEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Problem } from '../../contract/problem.ts'
import type { Session } from '../../contract/session.ts'
import { Boundary, Centre, NoticePage, Waiting } from '../components/centre.tsx'
import { latePart } from '../components/late-part.tsx'
import { Callback } from '../sign-in/callback.tsx'
import { Footer } from '../preferences/choices.tsx'
import { Notice } from '../components/notice.tsx'
import { usePreferenceGuard } from '../preferences/preferences.ts'
import { isForStrangers, isOwnPage, isSidePage, type Place, placeOf } from '../../contract/page.ts'
import { followLink, useFocusNear, usePathname, useTitle } from '../lib/router.ts'
import { askSession, useOtherTabs } from '../session/session.ts'
import { SignIn } from '../sign-in/sign-in.tsx'
import { text, loadWords } from '../text/text.ts'
import { useUi } from '../lib/ui.ts'

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
  useFocusNear()
  const isOutdated = useUi((ui) => ui.isOutdated)
  const place = placeOf(usePathname())
  useOtherTabs(isOfSession(place))
  const { answer, askAgain } = useAnswer(asked, isOfSession(place))
  // A signed-in person's pages have these choices in the account menu.
  const isOwn = answer !== undefined && 'signed_in' in answer && answer.signed_in && isOfPerson(place)
  return (
    <>
      <SkipLink />
      <Boundary>
        <Screen place={place} answer={answer} askAgain={askAgain} client={client} />
      </Boundary>
      {!isOwn && <Footer />}
      {isOutdated && (
        <div className="over">
          <Notice problem={new Problem('evidence_changed')} words={text().app.newVersion} />
        </div>
      )}
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
  if (isForStrangers(place)) return <SignedInPart session={undefined} place={place} />
  if (place.name === 'callback') return <Callback />
  if (place.name === 'guide') return <GuidePage answer={answer} />
  if (answer === undefined) return <Waiting />
  if (answer instanceof Problem)
    return (
      <NoticePage>
        <Notice problem={answer} again={askAgain} />
      </NoticePage>
    )
  return answer.signed_in ? (
    <SignedInPart key={answer.id} session={answer} place={place} known={client} />
  ) : (
    <SignIn session={answer} />
  )
}

/** The pages of a person who is signed in, and those for strangers. */
const SignedInPart = latePart(
  () =>
    Promise.all([import('./signed-in.tsx'), loadWords('home')]).then(
      ([{ SignedInScreen }]) => SignedInScreen,
    ),
  () => <Waiting />,
  NoticePage,
)

export async function loadSignedIn() {
  await SignedInPart.preload()
  return import('./signed-in.tsx')
}

const Guide = latePart(
  () =>
    Promise.all([import('../sign-in/guide.tsx'), loadWords('pages'), loadWords('home')]).then(
      ([{ Guide }]) => Guide,
    ),
  () => <Waiting words={text().app.loadingPage} />,
  NoticePage,
)

/** Only who is not signed in sees the id of the application. */
function GuidePage({ answer }: { answer: Answer | undefined }) {
  const isStranger = answer !== undefined && !(answer instanceof Problem) && !answer.signed_in
  return <Guide application={isStranger ? answer.authorize : undefined} />
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

/** Moves the focus, and leaves the address alone: its fragment may be a deep link. */
function SkipLink() {
  const skip = (event: MouseEvent): void => {
    event.preventDefault()
    const main = document.querySelector('main')
    main?.setAttribute('tabindex', '-1')
    main?.focus()
  }
  return (
    <a href="#main" className="skip" onClick={skip}>
      {text().preferences.skip}
    </a>
  )
}
