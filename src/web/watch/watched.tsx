import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
import { SECOND_MS, MINUTE_MS } from '../../contract/duration.ts'
import type { Problem } from '../../contract/problem.ts'
import { WATCH, type Watching } from '../../contract/watch.ts'
import { MonthMark } from '../alerts/alerts.tsx'
import { Announcer, figureText, figureWords, VerdictSentence } from '../month/verdict.tsx'
import { MonthChart } from '../chart/late.tsx'
import { CopyField } from '../components/copy-field.tsx'
import { Mark } from '../components/icons.tsx'
import { Notice } from '../components/notice.tsx'
import { Centre, NoticePage, Waiting } from '../components/centre.tsx'
import header from '../layout/header.module.css'
import menu from '../layout/menu.module.css'
import { useTitle } from '../lib/router.ts'
import { onServer, useNow, useElapsed } from '../lib/clock.ts'
import { dateWords } from '../text/format.ts'
import { words } from '../text/text.ts'
import { useQuotaProblem, type ReceivedQuota, useQuota } from '../quota/query.ts'
import { Follow } from '../quota/follow.ts'
import { LiveWord, Unread } from '../quota/live-word.tsx'
import { MinutePanel } from '../minute/panel.tsx'
import { MonthPanel } from '../month/card.tsx'
import { addressOf, watchingQuery } from './queries.ts'
import styles from './watched.module.css'
import { verdictOf } from '../../contract/verdict.ts'

/** The page of a watch link: the cards of the home page, without a session. */
export function Watched({ id }: { id: string }) {
  // What follows it is not a part of it, such as the full stop of a sentence.
  const [secret] = useState(() => /(?:#|%23)([\w-]{43})/.exec(location.href)?.[1])
  const { data: link, error, isFetching, refetch } = useQuery(watchingQuery(id, secret))
  useWallMark()
  useEffect(() => {
    // A person pastes the whole link over this address: that alone loads nothing.
    const reload = (): void => location.reload()
    addEventListener('hashchange', reload)
    return () => removeEventListener('hashchange', reload)
  }, [])
  useLayoutEffect(() => {
    // The cookie is there. Before, a reload needs the secret.
    if (link) history.replaceState(history.state, '', `/watch/${id}${isWall() ? '?wall' : ''}`)
  }, [link, id])
  if (error?.status === 401) return <Nothing problem={error} secret={secret} />
  if (link) return <Unended id={id} link={link} secret={secret} />
  if (!error || isFetching) return <Waiting words={words().watch.opening} />
  return (
    <NoticePage>
      <Notice problem={error} again={() => void refetch()} />
    </NoticePage>
  )
}

interface WatchingProps {
  id: string
  link: Watching
  /** The page forgets it when it is loaded again. */
  secret: string | undefined
}

/** Until the server says that the link has ended. */
function Unended(props: WatchingProps) {
  const problem = useQuotaProblem()
  return problem?.status === 401 ? <Nothing problem={problem} secret={props.secret} /> : <Live {...props} />
}

function Live(props: WatchingProps) {
  const { id, link } = props
  const [of] = useState({ link: id })
  useTitle(link.name)
  const chart = <MonthChart path={`${WATCH.days}/${id}`} large={!isWall()} isStill={isWall()} />
  return (
    <>
      <Follow of={of} />
      <MonthMark />
      {isWall() ? <Wall name={link.name} chart={chart} /> : <Page {...props} chart={chart} />}
    </>
  )
}

function Page({ id, link: { name, ends_in }, secret, chart }: WatchingProps & { chart: ReactNode }) {
  const [endsAtMs] = useState(() => onServer(Date.now()) + ends_in * SECOND_MS)
  const isRead = useQuota(() => true)
  return (
    <>
      <header className={header.header}>
        <div className={header.parts}>
          <span className={header.mark}>
            <Mark size={30} />
            Plimsoll
          </span>
          <div className={header.place}>
            <p className={menu.organizationName}>
              <bdi>{name}</bdi>
            </p>
            <LiveWord />
          </div>
        </div>
      </header>
      <main id="main" className="page">
        <h1 className="unseen">{name}</h1>
        <Printed />
        <Announcer />
        <MonthPanel chart={chart} />
        <MinutePanel />
        {isRead ? (
          <div className="quiet">
            <p>{words().watch.until(dateWords(endsAtMs))}</p>
            {secret && <Copy address={addressOf(id, secret)} />}
          </div>
        ) : (
          <Unread />
        )}
      </main>
    </>
  )
}

/** A page on paper has no other date. */
function Printed() {
  return <p className={styles.printed}>{dateWords(onServer(useNow()))}</p>
}

function Copy({ address }: { address: string }) {
  const t = words().watch
  return (
    <details>
      <summary>{t.copyThis}</summary>
      <CopyField label={t.address} value={address} />
    </details>
  )
}

function Nothing({ problem, secret }: { problem: Problem; secret: string | undefined }) {
  const missing = secret ? 'refused' : 'incomplete'
  const of = problem.fault === 'cookie_missing' ? missing : 'ended'
  const t = words().watch.nothing
  useTitle(t.title)
  return (
    <Centre title={t.title}>
      <p>{t[of]}</p>
    </Centre>
  )
}

/** From 10 in the evening to 6 in the morning the display is dark and dim. */
export const isNight = (hour: number): boolean => hour >= 22 || hour < 6

/** People put it behind the secret, too. */
export const isWall = (): boolean => location.href.includes('?wall')

/** Marks the document of a wall for the style sheet, whatever it shows. */
export function useWallMark(): void {
  useLayoutEffect(() => {
    if (!isWall()) return undefined
    const { dataset } = document.documentElement
    const mark = (): void => {
      dataset['wall'] = isNight(new Date(onServer(Date.now())).getHours()) ? 'night' : 'day'
    }
    mark()
    const timer = setInterval(mark, MINUTE_MS)
    return () => {
      clearInterval(timer)
      delete dataset['wall']
    }
  }, [])
}

export function Wall({ name, chart }: { name: string; chart: ReactNode }) {
  const quota = useQuota()
  if (!quota) return <Waiting />
  return (
    <main id="main" className={styles.wall}>
      <div className={styles.name}>
        <h1>
          <bdi>{name}</bdi>
        </h1>
        <LiveWord />
      </div>
      <Announcer />
      <Figure quota={quota} />
      <div className={styles.rest}>{hasChart(quota) ? chart : <MinutePanel />}</div>
    </main>
  )
}

const hasChart = ({ snapshot: { month } }: ReceivedQuota): boolean =>
  month.limit !== undefined && !month.may_have_reset

/** In a bold font of 100 units: the height of a digit, and the width of a wide one. */
const DIGIT = { height: 74, width: 70 }

function Figure({ quota: { snapshot, atMs, wallMs } }: { quota: ReceivedQuota }) {
  const elapsedMs = useElapsed(atMs)
  const verdict = verdictOf(snapshot, wallMs, elapsedMs)
  const figure = figureText(snapshot.month)
  const width = figure.length * DIGIT.width
  const [large, small] = figureWords(snapshot.month, elapsedMs)
  return (
    <div className={styles.said} data-tone={verdict.tone}>
      <svg viewBox={`0 0 ${width} ${DIGIT.height}`} className={styles.figure} aria-hidden="true">
        <text x={width / 2} y={DIGIT.height} fontSize="100">
          {figure}
        </text>
      </svg>
      <p className={styles.what}>
        {large} {small}
      </p>
      <p className={styles.verdict}>
        <VerdictSentence of={verdict} />
      </p>
    </div>
  )
}
