import type { ReactNode } from 'react'
import { getFile } from '../lib/api.ts'
import { words } from '../text/text.ts'
import { Notice } from './notice.tsx'
import { useFree } from './use-free.ts'

export interface Column<Row> {
  name: string
  of: (row: Row) => ReactNode
  /**
   * How it stands where the rows are stacked: a number has its name before it, a long text a line of its own.
   * Neither a number nor a `short` text wraps in the table.
   */
  as?: 'number' | 'short' | 'long' | 'long-number'
}

interface TableProps<Row> {
  /** The id of its heading. */
  labelledBy: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row, at: number) => string
}

/** In a narrow place each row is a block, which begins with its first column. */
export function Table<Row>({ labelledBy, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <table className="table" aria-labelledby={labelledBy}>
      <thead>
        <tr>
          {columns.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={keyOf(row, at)}>
            {columns.map(({ name, of, as = '' }) => (
              <td key={name} data-column={name} data-as={as}>
                {of(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Lets the browser save a file of the server. */
async function download(path: string, name: string): Promise<void> {
  const address = URL.createObjectURL(await getFile(path))
  Object.assign(document.createElement('a'), { href: address, download: name }).click()
  URL.revokeObjectURL(address)
}

/** The button that saves a list as a file. */
export function Download({ path, name }: { path: string; name: string }) {
  const saving = useFree(() => download(path, name))
  return (
    <div className="stack">
      <button type="button" aria-disabled={saving.busy} aria-busy={saving.busy} onClick={() => saving.run()}>
        {words().ledger.download}
      </button>
      {saving.problem && <Notice problem={saving.problem} again={saving.again} />}
    </div>
  )
}
