/** What a key does in the tree (WAI-ARIA, tree view). */
import type { TreeRows } from './rows.ts'

/** The row that gets the focus, or what happens to the focused row. */
type Effect = number | 'press' | 'menu'

const KEYS: Readonly<Record<string, (rows: TreeRows, at: number) => Effect>> = {
  ArrowDown: ({ length }, at) => Math.min(at + 1, length - 1),
  ArrowUp: (_, at) => Math.max(at - 1, 0),
  ArrowLeft: (rows, at) => (isOpen(rows, at) ? 'press' : parentOf(rows, at)),
  ArrowRight: (rows, at) => (isOpen(rows, at) ? at + 1 : rows[at]?.kind === 'branch' ? 'press' : 'menu'),
  Home: () => 0,
  End: ({ length }) => length - 1,
  Enter: () => 'press',
  ' ': () => 'press',
  ContextMenu: () => 'menu',
}

type Pressed = Record<'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey', boolean> & { key: string }

/** @param at the focused row @returns nothing for other keys, which the browser or the page gets */
export function effectOf(rows: TreeRows, at: number, pressed: Pressed): Effect | undefined {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = pressed
  if (ctrlKey || metaKey || altKey) return undefined
  if (shiftKey) return key === 'F10' ? 'menu' : undefined
  return Object.hasOwn(KEYS, key) ? KEYS[key]?.(rows, at) : undefined
}

const isOpen = (rows: TreeRows, at: number): boolean => {
  const row = rows[at]
  return row?.kind === 'branch' && row.isOpen
}

/** The row itself, if it is on the first level. */
function parentOf(rows: TreeRows, at: number): number {
  const level = rows[at]?.level ?? 1
  const parent = rows.slice(0, at).findLastIndex((row) => row.level < level)
  return parent === -1 ? at : parent
}
