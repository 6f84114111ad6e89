import { type ReactNode, useMemo, useState } from 'react'
import { CopyButton } from '../components/copy-field.tsx'
import { words } from '../text/text.ts'
import styles from './organization.module.css'
import { DIRECTION_MARKS } from './summary.ts'
import { parse } from 'lossless-json'

/** A part of the first two levels with more members is opened by a person. */
const MOST_OPEN = 10
/** More rows at once would hold the page up. */
const MOST_ROWS = 1000
const LONGEST_SHOWN = 100_000

/** All fields under the service's own names, and the answer as it came. */
export function Fields({ answer: { text } }: { answer: { text: string } }) {
  const read = useMemo(() => tryParse(text), [text])
  const raw = () => (
    <>
      <pre className={styles.raw} dir="ltr">
        {visible(text.slice(0, LONGEST_SHOWN))}
      </pre>
      {text.length > LONGEST_SHOWN && <p className="quiet">{words().record.cut}</p>}
    </>
  )
  return (
    <div className={styles.fields}>
      {read && <Value value={read.value} level={0} />}
      <Branch isOpenAtFirst={read === undefined} label={words().record.raw} rows={raw} />
      <CopyButton value={text} />
    </div>
  )
}

function tryParse(text: string): { value: unknown } | undefined {
  try {
    return { value: parseExactly(text) }
  } catch {
    return undefined
  }
}

interface ValueProps {
  name?: string
  value: unknown
  level: number
}

function Value({ name, value, level }: ValueProps) {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const label = name !== undefined && <bdi className={styles.field}>{visible(name)}</bdi>
  if (members.length === 0)
    return (
      <p>
        {label} <bdi>{visible(typeof value === 'string' ? value : JSON.stringify(value))}</bdi>
      </p>
    )
  const rows = () => <Members of={members} isList={Array.isArray(value)} level={level + 1} />
  if (level === 0) return rows()
  return (
    <Branch
      isOpenAtFirst={level < 2 && members.length <= MOST_OPEN}
      label={
        <>
          {label} <span className={styles.size}>{words().record.items(members.length)}</span>
        </>
      }
      rows={rows}
    />
  )
}

interface BranchProps {
  isOpenAtFirst?: boolean
  label: ReactNode
  rows: () => ReactNode
}

/** A closed branch is not drawn: a record may have any size and depth. */
function Branch({ isOpenAtFirst = false, label, rows }: BranchProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{label}</summary>
      {isOpen && rows()}
    </details>
  )
}

interface MembersProps {
  of: readonly [string, unknown][]
  isList: boolean
  level: number
}

function Members({ of: members, isList, level }: MembersProps) {
  const more = members.length - MOST_ROWS
  return (
    <ul>
      {members.slice(0, MOST_ROWS).map(([name, value]) => (
        <li key={name}>
          <Value name={isList ? String(Number(name) + 1) : name} value={value} level={level} />
        </li>
      ))}
      {more > 0 && <li>{words().record.more(more)}</li>}
    </ul>
  )
}

/** A mark that turns the text around it is written out. */
const visible = (text: string): string =>
  text.replaceAll(DIRECTION_MARKS, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** A number that JavaScript would write differently becomes the service's digits. */
const exactly = (digits: string): number | string =>
  String(Number(digits)) === digits ? Number(digits) : digits

type Reviver = (name: string, value: unknown, context?: { source?: string }) => unknown

const reviver: Reviver = (_, value, { source } = {}) =>
  typeof value === 'number' && source !== undefined ? exactly(source) : value

const parseNatively = (text: string): unknown => JSON.parse(text, reviver as (name: string) => unknown)

/** Browsers of before 2025 do not tell a reviver what stood in the text. */
const hasSource = parseNatively('1.0') === '1.0'

/** @throws SyntaxError, or RangeError for text that is nested too deeply */
export const parseExactly = (text: string, isNative = hasSource): unknown =>
  isNative
    ? parseNatively(text)
    : parse(text, undefined, { parseNumber: exactly, onDuplicateKey: ({ newValue }) => newValue })
