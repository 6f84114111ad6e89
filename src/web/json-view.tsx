import { type ReactNode, useMemo, useState } from 'react'
import { isJsonObject } from '../contract/json.ts'
import styles from './data.module.css'
import { Digits, indentJson, readJsonText } from './json-text.ts'

const MOST_ROWS = 12
const MOST_COLUMNS = 6
const LONGEST_TEXT = 280
const DEEPEST = 6

export function JsonView({ text }: { text: string }) {
  const read = useMemo(() => readJsonText(text), [text])
  return (
    <div className={styles.view}>
      {read ? (
        <Value of={unwrapped(read.value)} depth={0} />
      ) : (
        <p>The answer is no JSON that can be shown here. It is below as it came.</p>
      )}
      <Raw text={text} />
    </div>
  )
}

/** An object whose only member is an object or a list is replaced by it: `{"organization": {…}}`, `{"data": […]}`. */
function unwrapped(value: unknown): unknown {
  if (!isRecord(value)) return value
  const [only, ...others] = Object.values(value)
  return others.length === 0 && (isRecord(only) || Array.isArray(only)) ? only : value
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isJsonObject(value) && !(value instanceof Digits)

function Value({ of: value, depth }: { of: unknown; depth: number }): ReactNode {
  if (value === null || value === undefined) return <Quiet>not set</Quiet>
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (value instanceof Digits) return <span className={styles.digits}>{value.text}</span>
  if (typeof value === 'string') return <Text text={value} />
  if (depth >= DEEPEST) return <Quiet>deeper than shown here: see the raw JSON</Quiet>
  if (Array.isArray(value)) return <List items={value} depth={depth} />
  return isRecord(value) ? <Members of={value} depth={depth} /> : <Quiet>not JSON</Quiet>
}

const Quiet = ({ children }: { children: ReactNode }) => <span className={styles.quiet}>{children}</span>

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/
const WHEN = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

function Text({ text }: { text: string }) {
  const [whole, setWhole] = useState(false)
  if (text === '') return <Quiet>empty</Quiet>
  if (INSTANT.test(text) && !Number.isNaN(Date.parse(text)))
    return (
      <time dateTime={text} title={text}>
        {WHEN.format(Date.parse(text))}
      </time>
    )
  if (text.length <= LONGEST_TEXT) return <bdi className={styles.text}>{text}</bdi>
  return (
    <>
      <bdi className={styles.text}>{whole ? text : `${text.slice(0, LONGEST_TEXT)}…`}</bdi>{' '}
      <button type="button" data-kind="quiet" aria-expanded={whole} onClick={() => setWhole(!whole)}>
        {whole ? 'Show less' : `Show all ${text.length} characters`}
      </button>
    </>
  )
}

/** The first of many, and a button for the others; never more than 500 at once. */
function useFirst<Item>(items: readonly Item[], noun: string): [readonly Item[], ReactNode] {
  const [count, setCount] = useState(MOST_ROWS)
  const more = Math.min(items.length - count, 500)
  const button = more > 0 && (
    <button type="button" data-kind="quiet" onClick={() => setCount(count + more)}>
      Show {more} more of {items.length} {noun}
    </button>
  )
  return [items.slice(0, count), button]
}

function Members({ of: record, depth }: { of: Readonly<Record<string, unknown>>; depth: number }) {
  const [entries, more] = useFirst(Object.entries(record), 'fields')
  if (entries.length === 0) return <Quiet>empty</Quiet>
  return (
    <>
      <dl className={depth === 0 ? styles.members : styles.inner}>
        {entries.map(([name, value]) => (
          <div key={name} data-block={isNested(value) ? '' : undefined}>
            <dt title={name}>{humanise(name)}</dt>
            <dd>
              <Value of={value} depth={depth + 1} />
            </dd>
          </div>
        ))}
      </dl>
      {more}
    </>
  )
}

const isNested = (value: unknown): boolean =>
  (Array.isArray(value) && value.some(isRecord)) || (isRecord(value) && Object.keys(value).length > 0)

function List({ items, depth }: { items: readonly unknown[]; depth: number }) {
  const [shown, more] = useFirst(items, 'entries')
  if (items.length === 0) return <Quiet>none</Quiet>
  const columns = columnsOf(shown)
  if (columns)
    return <Table rows={shown as Record<string, unknown>[]} columns={columns} depth={depth} more={more} />
  return (
    <>
      <ul className={styles.list}>
        {shown.map((item, at) => (
          // The list only grows at its end, so an index identifies an item.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={at}>
            <Value of={item} depth={depth + 1} />
          </li>
        ))}
      </ul>
      {more}
    </>
  )
}

/** The columns of records that are alike and hold no records themselves. */
function columnsOf(items: readonly unknown[]): readonly string[] | undefined {
  if (items.length < 2 || !items.every(isRecord)) return undefined
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))]
  const flat = items.every(
    (item) =>
      !Object.values(item).some(
        (value) => typeof value === 'object' && value !== null && !(value instanceof Digits),
      ),
  )
  return flat && names.length > 0 && names.length <= MOST_COLUMNS ? names : undefined
}

type Row = Readonly<Record<string, unknown>>

interface TableProps {
  rows: readonly Row[]
  columns: readonly string[]
  depth: number
  more: ReactNode
}

function Table({ rows, columns, depth, more }: TableProps) {
  return (
    // Scrolls sideways on a narrow screen, so it has to be reached by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={styles.scroll} tabIndex={0} aria-label="Table">
      <table>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col" title={name}>
                {humanise(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={at}>
              {columns.map((name) => (
                <td key={name}>
                  <Cell row={row} name={name} depth={depth} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </section>
  )
}

/** Only a member of the row itself: a column may be named `constructor`, which every object inherits. */
const Cell = ({ row, name, depth }: { row: Row; name: string; depth: number }) =>
  Object.hasOwn(row, name) ? <Value of={row[name]} depth={depth + 1} /> : <Quiet>–</Quiet>

function Raw({ text }: { text: string }) {
  const [open, setOpen] = useState(false)
  const { shown, cut } = useMemo(() => (open ? indentJson(text) : { shown: '', cut: 0 }), [open, text])
  return (
    <details className={styles.raw} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Raw JSON</summary>
      {open && (
        <>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <section className={styles.scroll} tabIndex={0} aria-label="Raw JSON">
            <pre>{shown}</pre>
          </section>
          {cut > 0 && <p>{cut} more characters are not shown.</p>}
        </>
      )}
    </details>
  )
}

/** `billing_contact`, `billingContact` and `billing-contact` are all "Billing contact". */
export function humanise(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_\-.\s]+/g, ' ')
    .trim()
  if (words === '') return name.trim() || '(no name)'
  const plain = words
    .split(' ')
    .map((word) => (/^[A-Z\d]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(' ')
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}
