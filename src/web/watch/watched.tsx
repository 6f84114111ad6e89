import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
import { SECOND_MS } from '../../contract/duration.ts'
import type { Problem } from '../../contract/problem.ts'
import type { Watching } from '../../contract/watch.ts'
import { MonthMark } from '../alerts/alerts.tsx'
import { Announcer } from '../month/announcer.tsx'
import { useLate } from '../chart/late.tsx'
import { ChartPlaceholder } from '../chart/placeholder.tsx'
import { CopyField } from '../components/copy-field.tsx'
import { Mark } from '../components/icons.tsx'
import { Notice } from '../components/notice.tsx'
import { Centre, Waiting } from '../components/centre.tsx'
import header from '../layout/header.module.css'
import menu from '../layout/menu.module.css'
import { late } from '../lib/late.ts'
import { useTitle } from '../lib/router.ts'
import { onServer, useNow } from '../lib/clock.ts'
import { dateWords } from '../text/format.ts'
import { words } from '../text/text.ts'
import { Follow } from '../quota/follow.ts'
import { LiveWord } from '../quota/live-word.tsx'
import { MinutePanel } from '../minute/panel.tsx'
import { MonthPanel } from '../month/panel.tsx'
import { useQuotaProblem } from '../quota/query.ts'
import { addressOf, watchingQuery } from './queries.ts'
import { isWall, useWallMark, Wall } from './wall.tsx'
import styles from './watched.module.css'

const load = () => late(import('./days-chart.tsx'))

function DaysChart({ id }: { id: string }) {
  const loaded = useLate(load)
  return loaded ? <loaded.DaysChart id={id} /> : <ChartPlaceholder />
}

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
    if (link) history.replaceState(null, '', `/watch/${id}${isWall() ? '?wall' : ''}`)
  }, [link, id])
  if (error?.status === 401) return <Nothing problem={error} secret={secret} />
  if (link) return <Unended id={id} link={link} secret={secret} />
  if (!error || isFetching) return <Waiting words={words().watch.opening} />
  return (
    <Centre title="Plimsoll">
      <Notice problem={error} again={() => void refetch()} />
    </Centre>
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
  const chart = <DaysChart id={id} />
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
        <div className="quiet">
          <p>{words().watch.until(dateWords(endsAtMs))}</p>
          {secret && <Copy address={addressOf(id, secret)} />}
        </div>
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
