import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import { PATHS } from '../../contract/page.ts'
import type { SignedIn } from '../../contract/session.ts'
import { organizationQuery } from '../lib/query.ts'
import { followLink } from '../lib/router.ts'
import { onServer, useNow } from '../lib/clock.ts'
import { dateWords, sentences, spanWords } from '../text/format.ts'
import { words } from '../text/text.ts'
import styles from './ending.module.css'
import { sessionQuery } from './query.ts'

/** So long before the end of a session the page says that it ends. */
const SOON_MS = 12 * HOUR_MS

/** An open page puts the end off: asking who is signed in extends the session. */
function useEnding(own: SignedIn) {
  const nowMs = useNow()
  const { data: session, dataUpdatedAt, isFetching, isError, refetch } = useQuery(sessionQuery(own))
  const endsAtMs = dataUpdatedAt + session.ends_in * SECOND_MS
  const leftMs = Math.max(0, endsAtMs - nowMs)
  const isNear = leftMs < SOON_MS
  // The end was near when the server answered, so asking again changes nothing.
  const isForGood = session.ends_in * SECOND_MS < SOON_MS
  const isAsking = isNear && !isForGood
  useEffect(() => {
    if (!isAsking) return undefined
    void refetch()
    const timer = setInterval(() => void refetch(), 10 * MINUTE_MS)
    return () => clearInterval(timer)
  }, [isAsking, refetch])
  useExtension(session, isNear && isForGood, refetch)
  const isShown = isNear && (isForGood || isError)
  return { endsAtMs, leftMs, isForGood, isShown, isFetching, refetch }
}

/** Says when a session ends soon. */
export function SessionEnding({ session }: { session: SignedIn }) {
  const { endsAtMs, leftMs, isForGood, isShown, isFetching, refetch } = useEnding(session)
  if (!isShown) return null
  const t = words().sessionEnding
  return (
    <div className={`notice ${styles.ending}`}>
      <p>
        <time dateTime={new Date(onServer(endsAtMs)).toISOString()} title={dateWords(onServer(endsAtMs))}>
          {isForGood
            ? t.forGood(spanWords(leftMs))
            : sentences(t.endsIn(spanWords(leftMs)), isFetching ? '' : t.failed)}
        </time>
      </p>
      {isForGood ? (
        <a href={PATHS.organizations} onClick={followLink}>
          {words().organization.signInAgain}
        </a>
      ) : (
        <button
          type="button"
          aria-disabled={isFetching}
          aria-busy={isFetching}
          onClick={() => void refetch()}
        >
          {isFetching ? t.busy : t.extend}
        </button>
      )}
    </div>
  )
}

/** The first read of a session that the service had not confirmed extends it. */
function useExtension(session: SignedIn, isNear: boolean, refetch: () => Promise<unknown>): void {
  const { data } = useQuery({ ...organizationQuery(session), enabled: false })
  const hasRead = isNear && data !== undefined && data.spent > 0
  useEffect(() => {
    if (hasRead) void refetch()
  }, [hasRead, refetch])
}
