import { type ReactNode, useState } from 'react'
import { CopyButtons } from './copy.tsx'
import { Marked, Quiet, Scalar, usePages } from './scalar.tsx'
import { useJson } from './state.ts'
import {
  columnsOf,
  type Container,
  isBranch,
  isContainer,
  isRecord,
  type JsonRecord,
  type Key,
  pointerTo,
  sizeOf,
  itemTitle,
} from './value.ts'
import styles from './record.module.css'
import { labelOf } from './fields.ts'
import type { FactName } from './organization.ts'
import { shownEntries } from './search.ts'
import { signedInText } from '../text/text.ts'

/** Deeper rows are not indented further, so that a value keeps its room. */
const DEEPEST_ROW_INDENT = 4
const LONGEST_TITLE = 280

interface MemberRowProps {
  name: Key
  value: unknown
  path: string
  depth: number
  fact?: FactName | undefined
}

/** Side by side if there is room. */
export function MemberRow(props: MemberRowProps) {
  const { value, path, depth, fact } = props
  const [isCopying, setCopying] = useState(false)
  const label = labelOfRow(props)
  const open = useJson().isOpen(path, value)
  return (
    <div className={styles.row} data-open={open ? '' : undefined} data-fact={fact}>
      <dt>
        <RowName {...props} label={label} />
        <button
          type="button"
          className={styles.dots}
          aria-label={signedInText().record.copy(label)}
          aria-expanded={isCopying}
          onClick={() => setCopying(!isCopying)}
        >
          <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
            <path d="M3 8h.01M8 8h.01M13 8h.01" />
          </svg>
        </button>
      </dt>
      <dd data-deep={depth > DEEPEST_ROW_INDENT ? '' : undefined}>
        {isCopying && <CopyButtons value={value} path={path} />}
        {isBranch(value) ? (
          open ? (
            <Branch of={value} label={label} path={path} depth={depth} />
          ) : (
            <Quiet>{sizeWords(value)}</Quiet>
          )
        ) : (
          <Scalar of={fact === 'plan' ? planName(value) : value} />
        )}
      </dd>
    </div>
  )
}

/** The name of a branch shows and hides it. */
function RowName({ name, value, path, depth, label }: MemberRowProps & { label: string }) {
  const { record: t } = signedInText()
  const { changed, isOpen, setOpen } = useJson()
  const open = isOpen(path, value)
  const words = (
    <bdi title={String(name).slice(0, LONGEST_TITLE)}>
      <Marked text={label} />
    </bdi>
  )
  return (
    <>
      {isBranch(value) ? (
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={open}
          onClick={() => setOpen(path, !open)}
        >
          <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
            <path d="M6 3.5 10.5 8 6 12.5" />
          </svg>
          {words}
        </button>
      ) : (
        words
      )}
      {changed.has(path) && <strong className={styles.changed}>{t.changed}</strong>}
      {isBranch(value) && depth > DEEPEST_ROW_INDENT && <Quiet>{t.level(depth)}</Quiet>}
    </>
  )
}

function labelOfRow({ name, value, path, fact }: Omit<MemberRowProps, 'depth'>): string {
  if (path === '') return signedInText().record.answer
  const title = typeof name === 'number' ? itemTitle(value) : undefined
  return title === undefined ? labelOf(name, fact) : `${labelOf(name)} · ${title}`
}

function sizeWords(value: Container): string {
  const { record: t } = signedInText()
  return Array.isArray(value) ? t.entries(value.length) : t.fields(sizeOf(value))
}

/** The name of a plan of the document (8.1); other values stay as they are. */
function planName(value: unknown): unknown {
  const { plans } = signedInText().record
  return typeof value === 'string' && Object.hasOwn(plans, value) ? plans[value as keyof typeof plans] : value
}

interface BranchProps {
  of: Container
  label: string
  path: string
  depth: number
}

function Branch({ of, label, path, depth }: BranchProps) {
  const { found } = useJson()
  const [shown, more] = usePages(shownEntries(of, found))
  const columns = Array.isArray(of) ? columnsOf(shown.map(([, item]) => item)) : undefined
  if (columns)
    return (
      <RecordTable
        rows={shown as TableRows}
        columns={columns}
        label={label}
        path={path}
        depth={depth}
        more={more}
      />
    )
  if (Array.isArray(of) && !shown.some(([, item]) => isContainer(item)))
    return (
      <>
        <ul className={styles.list}>
          {shown.map(([key, item]) => (
            <li key={key}>
              <Scalar of={item} />
            </li>
          ))}
        </ul>
        {more}
      </>
    )
  return (
    <>
      <dl className={styles.inner}>
        {shown.map(([key, item]) => (
          <MemberRow key={key} name={key} value={item} path={pointerTo(path, key)} depth={depth + 1} />
        ))}
      </dl>
      {more}
    </>
  )
}

type TableRows = readonly (readonly [Key, JsonRecord])[]

interface TableProps extends Omit<BranchProps, 'of'> {
  rows: TableRows
  columns: readonly string[]
  more: ReactNode
}

/** Without room for a table each row becomes a block, and each value has its name before it. */
function RecordTable({ rows, columns, label, path, more }: TableProps) {
  const { changed } = useJson()
  const { record: t } = signedInText()
  return (
    <>
      <table className={styles.table} aria-label={t.table(label)}>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                <Marked text={labelOf(name)} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([key, row]) => (
            <tr key={key}>
              {columns.map((name, at) => (
                <td key={name} data-label={labelOf(name)}>
                  <MemberCell row={row} name={name} />
                  {at === 0 && changed.has(pointerTo(path, key)) && (
                    <strong className={styles.changed}>{t.changed}</strong>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </>
  )
}

/** Only the row's own member: a column may be named `constructor`, which every object inherits. */
const MemberCell = ({ row, name }: { row: JsonRecord; name: string }) =>
  isRecord(row) && Object.hasOwn(row, name) ? <Scalar of={row[name]} /> : <Quiet>–</Quiet>
