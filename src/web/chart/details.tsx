import { useId } from 'react'
import { Table } from '../components/table.tsx'
import { numberText } from '../text/format.ts'
import { words } from '../text/text.ts'
import { type BurnDown, evenPaceAt } from './burn-down.ts'
import styles from './chart.module.css'
import { linesOf, type Scale } from './scale.ts'
import { pointLeftWords, whenWords } from './words.ts'

/** The legend, and the same numbers as a table. */
export function ChartDetails({ burnDown, scale }: { burnDown: BurnDown; scale: Scale }) {
  const id = useId()
  const { isWhole } = burnDown
  const { table, columns, sources } = words().ledger.chart
  return (
    <>
      <Legend burnDown={burnDown} scale={scale} />
      <details>
        <summary id={id}>{table}</summary>
        <Table
          labelledBy={id}
          columns={[
            { name: columns.at, of: (point) => whenWords(burnDown, point) },
            { name: columns.left, of: (point) => pointLeftWords(burnDown, point), as: 'number' },
            { name: columns.even, of: ({ atMs }) => numberText(evenPaceAt(burnDown, atMs)), as: 'number' },
            { name: columns.source, of: ({ kind }) => sources[isWhole || kind === 'start' ? kind : 'own'] },
          ]}
          rows={burnDown.points}
          // Two readings may have one instant.
          keyOf={({ atMs, kind }, nth) => `${atMs} ${kind} ${nth}`}
        />
      </details>
    </>
  )
}

const LINE = 'M0 6H24'

function Legend({ burnDown, scale }: { burnDown: BurnDown; scale: Scale }) {
  const { points, isWhole, forecast } = burnDown
  const { legend, sources } = words().ledger.chart
  const items: [name: string, words: string, drawing: string, isDrawn?: boolean][] = [
    ['left', isWhole ? legend.left : legend.atMost, LINE],
    ['between', sources.day, LINE, linesOf(burnDown, scale).straight !== ''],
    ['area', legend.area, 'M0 0H24V12H0Z'],
    ['even', legend.even, LINE],
    ['forecast', legend.forecast, LINE, forecast !== undefined],
    ['reading', legend.reading, 'M12 1l5 5l-5 5l-5 -5Z', points.some(({ kind }) => kind === 'reading')],
  ]
  return (
    <ul className={`legend ${styles.legend}`}>
      {items
        .filter(([, , , isDrawn = true]) => isDrawn)
        .map(([name, words, drawing]) => (
          <li key={name}>
            <svg viewBox="0 0 24 12" aria-hidden="true">
              <path className={styles[name]} d={drawing} />
            </svg>
            {words}
          </li>
        ))}
    </ul>
  )
}
