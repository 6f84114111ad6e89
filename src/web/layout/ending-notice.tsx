import { onServer } from '../lib/clock.ts'
import { dateWords, sentences, spanWords } from '../text/format.ts'
import { text, words } from '../text/text.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { SECOND_MS } from '../../contract/duration.ts'
import { organizationPath } from '../../contract/organization.ts'
import { asProblem, type ProblemCode } from '../../contract/problem.ts'
import type { SignedIn } from '../../contract/session.ts'
import { type Ending, endOf, SOON_MS, useLeft } from './ending.ts'
import styles from './header.module.css'
import notice from '../components/notice.module.css'
import { organizationQuery } from '../lib/query.ts'
import { navigate } from '../lib/router.ts'
import { recheckSession, useSessionState } from '../session/session.ts'
import { useSameSignInPrice } from '../sign-in/price.ts'
import { useStart } from '../sign-in/start.ts'

const ENDING = `${notice.notice} ${styles.ending}`

/** Asking who is signed in extends the session, if anything can. */
export function EndingNotice() {
  // Both come from here: the parent may hold an earlier answer.
  const { session, atMs } = useSessionState()
  return session?.signed_in && <NoticeOf session={session} answeredAtMs={atMs} />
}

function NoticeOf({ session, answeredAtMs }: Ending) {
  const isConfirmed = useConfirmed(session, answeredAtMs)
  const [isExtended, setExtended] = useState(false)
  const isNear = useLeft({ session, answeredAtMs }) < SOON_MS
  const isUnanswered = useUnanswered(isNear && !isForGood(session))
  if (isNear)
    return (
      isConfirmed &&
      (isUnanswered || isForGood(session)) && (
        <Near session={session} answeredAtMs={answeredAtMs} onDone={setExtended} />
      )
    )
  return isExtended && <Extended atMs={onServer(endOf({ session, answeredAtMs }))} />
}

/** The end was near when the server answered, so asking again would change nothing. */
const isForGood = (session: SignedIn): boolean => session.ends_in * SECOND_MS < SOON_MS

/** Asks near the end, which an open page puts off by itself. @returns true if the server did not answer */
function useUnanswered(isAsking: boolean): boolean {
  const [isUnanswered, setUnanswered] = useState(false)
  useEffect(() => {
    if (isAsking) void recheckSession().then((isAnswered) => setUnanswered(!isAnswered))
  }, [isAsking])
  return isUnanswered
}

/**
 * Asks again after a press that reads the organization: the read extends an unconfirmed session.
 * @returns false if the page has no answer and could not get the stored copy
 */
function useConfirmed(session: SignedIn, answeredAtMs: number): boolean {
  const { data, dataUpdatedAt, error } = useQuery({ ...organizationQuery(session), enabled: false })
  const isOutdated =
    isForGood(session) && data !== undefined && data.spent > 0 && dataUpdatedAt > answeredAtMs
  useEffect(() => {
    if (isOutdated) void recheckSession()
  }, [isOutdated])
  return data !== undefined || error === null
}

function Near({ session, answeredAtMs, onDone }: Ending & { onDone: (isExtended: boolean) => void }) {
  const [state, setState] = useState<'busy' | ProblemCode>()
  const start = useStart(session.authorize, organizationPath)
  const price = useSameSignInPrice(session)
  const leftMs = useLeft({ session, answeredAtMs })
  const atMs = onServer(endOf({ session, answeredAtMs }))
  const t = words().sessionEnding
  const extend = async (): Promise<void> => {
    setState('busy')
    const isAnswered = await recheckSession()
    setState(isAnswered ? undefined : 'bff_unreachable')
    onDone(isAnswered)
  }
  const signIn = async (): Promise<void> => {
    // A key has no page of the service to go to.
    if (session.organization_id === undefined) return navigate('/organizations')
    setState('busy')
    await start(session.organization_id).catch((cause: unknown) => setState(asProblem(cause).code))
  }
  const press = (): void => {
    if (state === 'busy') return
    void (isForGood(session) ? signIn() : extend())
  }
  const isFailed = state !== undefined && state !== 'busy'
  const signInLabel = state === 'busy' ? text().signIn.organization.busy : t.signIn(price)
  const failed = isFailed ? (isForGood(session) ? text().problem[state].title : t.failed) : ''
  return (
    <div className={ENDING}>
      <p>
        <time dateTime={new Date(atMs).toISOString()} title={dateWords(atMs)}>
          {sentences((isForGood(session) ? t.forGood : t.endsIn)(spanWords(leftMs)), failed)}
        </time>
      </p>
      <button type="button" aria-disabled={state === 'busy'} aria-busy={state === 'busy'} onClick={press}>
        {isForGood(session) ? signInLabel : state === 'busy' ? t.busy : t.extend}
      </button>
    </div>
  )
}

/** Replaces the pressed button, and takes its focus. */
function Extended({ atMs }: { atMs: number }) {
  const said = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => said.current?.focus(), [])
  return (
    <div className={ENDING}>
      <p ref={said} tabIndex={-1}>
        {words().sessionEnding.extended(dateWords(atMs))}
      </p>
    </div>
  )
}
