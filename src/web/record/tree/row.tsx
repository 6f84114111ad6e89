import { type CSSProperties, memo } from 'react'
import { DIRECTION_MARKS } from '../direction-marks.ts'
import { labelOf } from '../fields.ts'
import { Marked, plainWords, Quiet, Scalar } from './scalar.tsx'
import data from '../../components/data.module.css'
import styles from './tree.module.css'
import type { Row } from './rows.ts'
import {
  type Container,
  cut,
  digitsOf,
  isBranch,
  isFlat,
  itemTitle,
  type Key,
  namingKey,
  sizeOf,
} from '../value.ts'
import { whenWords } from '../../text/format.ts'
import { words } from '../../text/text.ts'

/** Deeper rows are not indented further, so that a value keeps its room. */
const DEEPEST_INDENT = 4
/** Not every screen reader takes a larger `aria-level`, so the words say it. */
export const DEEPEST_SPOKEN = 6
const LONGEST_TITLE = 280
const LONGEST_SUMMARY = 120

interface TreeRowProps extends Omit<Row, 'id'> {
  /** It is the stop of the Tab key. */
  isCurrent: boolean
  isChanged: boolean
  /** The id of the menu. */
  menu: string
}

export const indentOf = (level: number): CSSProperties =>
  ({ '--indent': Math.min(level, DEEPEST_INDENT) - 1 }) as CSSProperties

/** Drawn again only when one of its own values changes. */
export const TreeRow = memo(function TreeRow(props: TreeRowProps) {
  const { name, value, path, level, place, size, kind, isOpen, isCurrent, isChanged, menu } = props
  const t = words().record
  const label = labelOfRow(name, value, path)
  const mark = kind === 'gone' ? t.gone : isChanged ? words().organization.changed : undefined
  return (
    <div
      role="treeitem"
      className={styles.row}
      tabIndex={isCurrent ? 0 : -1}
      aria-label={spokenWords(label, value, mark, level)}
      aria-level={Math.min(level, DEEPEST_SPOKEN)}
      aria-posinset={place}
      aria-setsize={size}
      aria-expanded={kind === 'branch' ? isOpen : undefined}
      data-kind={kind}
      style={indentOf(level)}
    >
      <span className={styles.name}>
        {kind === 'branch' && <Arrow />}
        <bdi title={String(name).slice(0, LONGEST_TITLE)}>
          <Marked text={label} />
        </bdi>
        {mark !== undefined && <strong className={data.changed}>{mark}</strong>}
        {level > DEEPEST_INDENT && kind === 'branch' && <Quiet>{t.level(level)}</Quiet>}
      </span>
      <div className={styles.value}>
        {isBranch(value) ? !isOpen && <BranchSummary of={value} /> : <Scalar of={value} />}
      </div>
      <Dots menu={menu} />
    </div>
  )
})

/** Opens the menu of its row, for a mouse or a finger. A key in the row opens it too. */
const Dots = ({ menu }: { menu: string }) => (
  <button
    type="button"
    className={styles.dots}
    tabIndex={-1}
    aria-label={words().record.copy}
    aria-haspopup="menu"
    popoverTarget={menu}
    popoverTargetAction="show"
    data-copy=""
  />
)

const Arrow = () => (
  <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    <path d="M6 3.5 10.5 8 6 12.5" />
  </svg>
)

function labelOfRow(name: Key, value: unknown, path: string): string {
  if (path === '') return words().record.answer
  const title = typeof name === 'number' ? itemTitle(value) : undefined
  return title === undefined ? labelOf(name) : `${labelOf(name)} · ${title}`
}

/** A closed branch: its values if one line has room for them, else their number. */
function BranchSummary({ of }: { of: Container }) {
  const parts = isFlat(of) ? partsOf(of) : []
  if (parts.length === 0) return <Quiet>{sizeWords(of)}</Quiet>
  return (
    <span className={`${styles.quiet} ${styles.line}`}>
      {parts.map(([key, words]) => (
        <bdi key={key}>
          {labelOf(key)}: {words}
        </bdi>
      ))}
    </span>
  )
}

/** Without the name, which the label has. */
const partsOf = (of: Readonly<Record<string, unknown>>): [key: string, words: string][] => {
  const naming = namingKey(of)
  return Object.entries(of).flatMap(([key, value]) => (key === naming ? [] : [[key, wordsOf(value)]]))
}

function sizeWords(value: Container): string {
  const t = words().record
  return Array.isArray(value) ? t.entries(value.length) : t.fields(sizeOf(value))
}

/** A value on one line, for summaries and screen readers. */
function wordsOf(value: unknown): string {
  if (typeof value === 'string' && value !== '')
    return whenWords(value)?.words ?? cut(value, LONGEST_SUMMARY).replaceAll(DIRECTION_MARKS, '')
  if (isBranch(value)) return sizeWords(value)
  if (Array.isArray(value) && value.length > 0)
    return cut(value.slice(0, 9).map(wordsOf).join(', '), LONGEST_SUMMARY)
  return digitsOf(value) ?? plainWords(value)
}

const spokenWords = (label: string, value: unknown, mark: string | undefined, level: number): string =>
  [label, mark, wordsOf(value), level > DEEPEST_SPOKEN && words().record.level(level)]
    .filter(Boolean)
    .join(', ')
    .replaceAll(DIRECTION_MARKS, '')
