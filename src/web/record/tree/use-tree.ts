import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { MoreRow, Row, TreeRows } from './rows.ts'
import { effectOf } from './keys.ts'

export interface TreeActions {
  onToggle: (row: Row) => void
  onMore: (row: MoreRow) => void
}

type Tree = RefObject<HTMLElement | null>

/** The handlers of a tree whose children are its rows, and the row that the Tab key reaches. */
export function useTree(rows: TreeRows, { onToggle, onMore }: TreeActions) {
  const ref = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState<string>()
  const focusAfter = useFocusAfter(ref)
  const placeOf = ({ target }: { target: EventTarget }): number =>
    rowsIn(ref).findIndex((row) => row.contains(target as Node))
  const press = (at: number): void => {
    const row = rows[at]
    if (row?.kind === 'branch') onToggle(row)
    else if (row?.kind === 'more') {
      focusAfter(at)
      onMore(row)
    } else pressIn(ref, at, '[data-more], [data-copy]')
  }
  const onClick = (event: MouseEvent): void => {
    const at = placeOf(event)
    const kind = rows[at]?.kind
    if ((kind === 'branch' || kind === 'more') && !isMarking(event)) press(at)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = placeOf(event)
    const effect = event.target === rowsIn(ref)[at] ? effectOf(rows, at, event) : undefined
    if (effect === undefined) return
    event.preventDefault()
    if (effect === 'press') press(at)
    else if (effect === 'menu') pressIn(ref, at, '[data-copy]')
    else rowsIn(ref)[effect]?.focus()
  }
  const onFocus = (event: FocusEvent): void => setFocused(rows[placeOf(event)]?.id)
  const current = (rows.find(({ id }) => id === focused) ?? rows[0])?.id
  return { ref, current, rowOf: (event: MouseEvent) => rows[placeOf(event)], onClick, onKeyDown, onFocus }
}

const rowsIn = ({ current }: Tree): HTMLElement[] => [...(current?.children ?? [])] as HTMLElement[]

const pressIn = (tree: Tree, at: number, button: string): void =>
  rowsIn(tree)[at]?.querySelector<HTMLElement>(button)?.click()

/** A person who marks a text, or presses a button in a row, does not press the row. */
const isMarking = ({ target }: MouseEvent): boolean =>
  (target as Element).closest('button') !== null || getSelection()?.isCollapsed === false

/** Gives the focus to the row that is at a place after the next change. */
function useFocusAfter(tree: Tree): (at: number) => void {
  const next = useRef(-1)
  useLayoutEffect(() => {
    if (next.current !== -1) rowsIn(tree)[next.current]?.focus()
    next.current = -1
  })
  return (at) => {
    next.current = at
  }
}
