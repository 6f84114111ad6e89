import { type MouseEvent, useId, useRef, useState } from 'react'
import { CopyMenu, type OfRow } from './copy-menu.tsx'
import { PAGE } from './open.ts'
import styles from './tree.module.css'
import { DEEPEST_SPOKEN, indentOf, TreeRow } from './row.tsx'
import type { MoreRow, TreeRows } from './rows.ts'
import { words } from '../../text/text.ts'
import { type TreeActions, useTree } from './use-tree.ts'

interface TreeProps extends TreeActions {
  rows: TreeRows
  /** JSON pointers. */
  changed: ReadonlySet<string>
}

/** One stop of the Tab key. Arrows move the focus between the rows (WAI-ARIA, tree view). */
export function Tree({ rows, changed, ...actions }: TreeProps) {
  const dots = useRef<HTMLElement>(null)
  const [of, setOf] = useState<OfRow>()
  const menu = useId()
  const { current, rowOf, onClick, onKeyDown, ...tree } = useTree(rows, actions)
  const copyOrPress = (event: MouseEvent): void => {
    const button = (event.target as Element).closest<HTMLElement>('[data-copy]')
    const row = rowOf(event)
    if (!button || !row || row.kind === 'more') return onClick(event)
    dots.current = button
    setOf(row)
  }
  return (
    <>
      <div
        role="tree"
        tabIndex={-1}
        className={styles.tree}
        aria-label={words().record.tree}
        onClick={copyOrPress}
        onKeyDown={onKeyDown}
        {...tree}
      >
        {rows.map((row) => {
          const isCurrent = row.id === current
          if (row.kind === 'more') return <More key={row.id} row={row} isCurrent={isCurrent} />
          const isChanged = changed.has(row.path)
          return <TreeRow key={row.id} {...row} isCurrent={isCurrent} isChanged={isChanged} menu={menu} />
        })}
      </div>
      <CopyMenu id={menu} of={of} at={dots} />
    </>
  )
}

function More({ row: { level, shown, size }, isCurrent }: { row: MoreRow; isCurrent: boolean }) {
  const t = words().record
  return (
    <div
      role="treeitem"
      className={styles.row}
      tabIndex={isCurrent ? 0 : -1}
      aria-level={Math.min(level, DEEPEST_SPOKEN)}
      data-kind="more"
      style={indentOf(level)}
    >
      {t.showMore(Math.min(size - shown, PAGE), shown, size)}
    </div>
  )
}
