import { type PointerEvent, useId, useState } from 'react'
import type { Forecast } from '../../contract/quota.ts'
import { bandPath, type BurnDown, evenPaceAt, type LeftAt, scaleOf, stepPath } from './burn-down.ts'
import styles from './burn-down.module.css'
import { type PointWords, pointsOf, pointWords, summaryOf } from './burn-down-words.ts'
import data from '../components/data.module.css'
import { signedInText } from '../text/text.ts'
import { dayWords, instantWords } from '../lib/time.ts'

const WIDTH = 640
const HEIGHT = 240

interface ChartProps {
  burnDown: BurnDown
  forecast: Forecast | undefined
  labelledBy: string
}

export function Chart({ burnDown, forecast, labelledBy }: ChartProps) {
  const points = pointsOf(burnDown)
  const [chosen, setChosen] = useState<number>()
  const at = Math.min(chosen ?? points.length - 1, points.length - 1)
  return (
    <figure className={styles.figure} aria-labelledby={labelledBy}>
      <figcaption>{summaryOf(burnDown, forecast)}</figcaption>
      <Plot burnDown={burnDown} points={points} at={at} onChoose={setChosen} />
      <Legend burnDown={burnDown} />
      <details>
        <summary>{signedInText().burnDown.table}</summary>
        <PointTable burnDown={burnDown} points={points} />
      </details>
    </figure>
  )
}

interface PlotProps {
  burnDown: BurnDown
  points: readonly PointWords[]
  at: number
  onChoose: (at: number) => void
}

/** The arrow keys, or a mouse over the drawing, choose a point. The page states it as a sentence. */
function Plot({ burnDown, points, at, onChoose }: PlotProps) {
  const scale = scaleOf(burnDown, WIDTH, HEIGHT)
  const onPointer = ({ currentTarget, clientX }: PointerEvent): void => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const distances = points.map(({ point }) =>
      Math.abs(scale.x(point.atMs) - ((clientX - left) / width) * WIDTH),
    )
    onChoose(distances.indexOf(Math.min(...distances)))
  }
  const point = points[at]
  return (
    <>
      <div className={styles.plot} onPointerMove={onPointer}>
        <Drawing burnDown={burnDown} chosen={point?.point} />
        {burnDown.readings.map(({ atMs, low }) => (
          // It is outside the drawing, which is stretched.
          <span
            key={`${atMs} ${low}`}
            className={styles.diamond}
            style={{ left: `${(scale.x(atMs) / WIDTH) * 100}%`, top: `${(scale.y(low) / HEIGHT) * 100}%` }}
          />
        ))}
        <span className={styles.top}>{burnDown.limit}</span>
        <span className={styles.bottom}>0</span>
        <span className={styles.start}>{dayWords(burnDown.startMs)}</span>
        <span className={styles.end}>{dayWords(burnDown.reset.latestMs)}</span>
      </div>
      <label className={styles.slider}>
        <span className="unseen">{signedInText().burnDown.points}</span>
        <input
          type="range"
          max={points.length - 1}
          value={at}
          aria-valuetext={point && pointWords(point)}
          onChange={({ target }) => onChoose(target.valueAsNumber)}
        />
      </label>
      <p className={styles.readout}>{point && pointWords(point)}</p>
    </>
  )
}

function Drawing({ burnDown, chosen }: { burnDown: BurnDown; chosen: LeftAt | undefined }) {
  const scale = scaleOf(burnDown, WIDTH, HEIGHT)
  const { x, y } = scale
  const { reset, startMs, limit, forecast } = burnDown
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <rect
        className={styles.zone}
        x={x(reset.earliestMs)}
        width={Math.max(2, x(reset.latestMs) - x(reset.earliestMs))}
        height={HEIGHT}
      />
      {[0.25, 0.5, 0.75].map((share) => (
        <path key={share} className={styles.grid} d={`M0 ${HEIGHT * share}H${WIDTH}`} />
      ))}
      <path className={styles.pace} d={`M${x(startMs)} ${y(limit)}L${x(reset.earliestMs)} ${y(0)}`} />
      <KnownLines burnDown={burnDown} scale={scale} />
      {forecast && <path className={styles.forecast} d={linePath([forecast.from, forecast.to], scale)} />}
      {chosen && <path className={styles.chosen} d={`M${x(chosen.atMs)} 0V${HEIGHT}`} />}
    </svg>
  )
}

function KnownLines({ burnDown, scale }: { burnDown: BurnDown; scale: ReturnType<typeof scaleOf> }) {
  const hatch = useId()
  const { own, readings, organization } = burnDown
  const band = organization ? [...readings.slice(-1), organization] : own
  return (
    <>
      <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path d="M0 0V6" className={styles.hatch} />
      </pattern>
      <path style={{ fill: `url(#${hatch})` }} d={bandPath(band, scale)} />
      <path
        className={styles.own}
        data-beside={organization !== undefined}
        d={stepPath(own, 'high', scale)}
      />
      {organization && (
        <path className={styles.organization} d={linePath([...readings, organization], scale)} />
      )}
    </>
  )
}

const linePath = (points: readonly LeftAt[], { x, y }: ReturnType<typeof scaleOf>): string =>
  points.map(({ atMs, low }, at) => `${at === 0 ? 'M' : 'L'}${x(atMs)} ${y(low)}`).join('')

function Legend({ burnDown: { organization, forecast } }: { burnDown: BurnDown }) {
  const { legend } = signedInText().burnDown
  const names = [
    'own',
    'pace',
    ...(organization ? (['organization', 'reading'] as const) : []),
    ...(forecast ? (['forecast'] as const) : []),
    'zone',
  ] as const
  return (
    <ul className={styles.legend}>
      {names.map((name) => (
        <li key={name}>
          <svg viewBox="0 0 24 12" aria-hidden="true">
            {name === 'zone' && <rect className={styles.zone} width="24" height="12" />}
            {name === 'reading' && <path className={styles.reading} d="M12 0l6 6l-6 6l-6 -6Z" />}
            {name !== 'zone' && name !== 'reading' && (
              <path className={styles[name]} data-beside={organization !== undefined} d="M0 6H24" />
            )}
          </svg>
          {legend[name]}
        </li>
      ))}
    </ul>
  )
}

const COLUMNS = ['at', 'left', 'even', 'source'] as const

function PointTable({ burnDown, points }: { burnDown: BurnDown; points: readonly PointWords[] }) {
  const { columns } = signedInText().burnDown
  return (
    <div className={`${data.scroll} ${styles.table}`}>
      <table>
        <thead>
          <tr>
            {COLUMNS.map((name) => (
              <th key={name} scope="col">
                {columns[name]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map(({ point, left, source }) => (
            <tr key={`${point.atMs} ${source}`}>
              <td>{instantWords(point.atMs)}</td>
              <td data-column={columns.left}>{left}</td>
              <td data-column={columns.even}>{evenPaceAt(burnDown, point.atMs)}</td>
              <td data-column={columns.source}>{source}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
