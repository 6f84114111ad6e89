/** `?wall`: what a large display shows, which nobody touches and people read at five metres. */
import { type ReactNode, Suspense, useLayoutEffect } from 'react'
import { MINUTE_MS } from '../../contract/duration.ts'
import { verdictOf } from '../../contract/verdict.ts'
import { Announcer } from '../month/announcer.tsx'
import { Waiting } from '../components/centre.tsx'
import { onServer, useElapsed } from '../lib/clock.ts'
import { MinutePanel } from '../minute/panel.tsx'
import { figureText, figureWords, VerdictSentence } from '../month/verdict.tsx'
import { LiveWord } from '../quota/live-word.tsx'
import { type ReceivedQuota, useQuota } from '../quota/query.ts'
import styles from './watched.module.css'

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
      <div className={styles.rest}>
        {hasChart(quota) ? <Suspense fallback={null}>{chart}</Suspense> : <MinutePanel />}
      </div>
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
