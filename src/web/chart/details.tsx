import data from '../components/data.module.css'
import { type BurnDown, type ChartPoint, evenPaceAt } from './burn-down.ts'
import styles from './chart.module.css'
import { pointLeftWords, whenWords } from './words.ts'
import { numberText } from '../text/format.ts'
import { words } from '../text/text.ts'

/** The legend, and the same numbers as a table. */
export function ChartDetails({ burnDown }: { burnDown: BurnDown }) {
  return (
    <>
      <Legend burnDown={burnDown} />
      <details>
        <summary>{words().ledger.chart.table}</summary>
        <PointTable burnDown={burnDown} />
      </details>
    </>
  )
}

function Legend({ burnDown: { points, isWhole, forecast } }: { burnDown: BurnDown }) {
  const { legend } = words().ledger.chart
  const names = [
    'left',
    'area',
    'even',
    ...(forecast ? (['forecast'] as const) : []),
    ...(points.some(({ kind }) => kind === 'reading') ? (['reading'] as const) : []),
  ] as const
  return (
    <ul className={styles.legend}>
      {names.map((name) => (
        <li key={name}>
          <svg viewBox="0 0 24 12" aria-hidden="true">
            {name === 'reading' && <path className={styles.reading} d="M12 1l5 5l-5 5l-5 -5Z" />}
            {name === 'area' && <path className={styles.area} d="M0 0H24V12H0Z" />}
            {name !== 'reading' && name !== 'area' && <path className={styles[name]} d="M0 6H24" />}
          </svg>
          {name === 'left' && !isWhole ? legend.atMost : legend[name]}
        </li>
      ))}
    </ul>
  )
}

const COLUMNS = ['at', 'left', 'even', 'source'] as const

function PointTable({ burnDown }: { burnDown: BurnDown }) {
  const { columns } = words().ledger.chart
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
          {burnDown.points.map((point) => (
            <tr key={`${point.atMs} ${point.kind}`}>
              <td>{whenWords(burnDown, point)}</td>
              <td data-column={columns.left}>{pointLeftWords(burnDown, point)}</td>
              <td data-column={columns.even}>{numberText(evenPaceAt(burnDown, point.atMs))}</td>
              <td data-column={columns.source}>{sourceWords(burnDown, point)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function sourceWords({ isWhole }: BurnDown, { kind }: ChartPoint): string {
  const { sources } = words().ledger.chart
  if (kind === 'start' || kind === 'reading') return sources[kind]
  if (!isWhole) return sources.own
  return sources[kind]
}
