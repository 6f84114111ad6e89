import { useId } from 'react'
import { Table } from '../components/table.tsx'
import { type BurnDown, type ChartPoint, evenPaceAt } from './burn-down.ts'
import styles from './chart.module.css'
import { pointLeftWords, whenWords } from './words.ts'
import { numberText } from '../text/format.ts'
import { words } from '../text/text.ts'

/** The legend, and the same numbers as a table. */
export function ChartDetails({ burnDown }: { burnDown: BurnDown }) {
  const id = useId()
  const { table, columns } = words().ledger.chart
  return (
    <>
      <Legend burnDown={burnDown} />
      <details>
        <summary id={id}>{table}</summary>
        <Table
          labelledBy={id}
          columns={[
            { name: columns.at, of: (point) => whenWords(burnDown, point) },
            { name: columns.left, as: 'number', of: (point) => pointLeftWords(burnDown, point) },
            { name: columns.even, as: 'number', of: ({ atMs }) => numberText(evenPaceAt(burnDown, atMs)) },
            { name: columns.source, of: (point) => sourceWords(burnDown, point) },
          ]}
          rows={burnDown.points}
          // Two readings may have one instant.
          keyOf={({ atMs, kind }, nth) => `${atMs} ${kind} ${nth}`}
        />
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

function sourceWords({ isWhole }: BurnDown, { kind }: ChartPoint): string {
  const { sources } = words().ledger.chart
  if (kind === 'start' || kind === 'reading') return sources[kind]
  if (!isWhole) return sources.own
  return sources[kind]
}
