/** The rows of a record's tree that are in view, in the order of the page. */
import type { Field } from '../fields.ts'
import { type Found, shownEntries } from '../search.ts'
import { type Container, isBranch, type Key, pointerTo } from '../value.ts'

export interface Row {
  id: string
  /** A JSON pointer from the beginning of the answer. */
  path: string
  name: Key
  value: unknown
  /** The fields of the record are on level 1. */
  level: number
  /** The place among its siblings, from 1 on, and their number. */
  place: number
  size: number
  kind: 'branch' | 'value' | 'gone'
  isOpen: boolean
}

/** Shows the next rows of a list or object whose first ones are in view. */
export interface MoreRow {
  id: string
  kind: 'more'
  path: string
  level: number
  shown: number
  size: number
}

export type TreeRows = readonly (Row | MoreRow)[]

export interface View {
  isOpen: (path: string, value: Container) => boolean
  /** How many rows of the list or object at this path are in view at most. */
  mostAt: (path: string) => number
}

/** The path of the fields themselves, which is no JSON pointer. */
export const ROOT = '#'

type Entry = readonly [path: string, name: Key, value: unknown]

/** @param gone fields that only the answer before had */
export function rowsOf(
  fields: readonly Field[],
  { isOpen, mostAt }: View,
  found?: Found,
  gone: readonly Field[] = [],
): TreeRows {
  const rows: (Row | MoreRow)[] = []
  const add = (parent: string, size: number, shown: readonly Entry[], level: number): void => {
    for (const [at, [path, name, value]] of shown.entries()) {
      const branch = isBranch(value) ? value : undefined
      const open = branch !== undefined && isOpen(path, branch)
      const kind = branch ? 'branch' : 'value'
      rows.push({ id: path, path, name, value, level, place: at + 1, size, kind, isOpen: open })
      if (branch && open) addInside(branch, path, level + 1)
    }
    if (shown.length < size)
      rows.push({ id: `more${parent}`, kind: 'more', path: parent, level, shown: shown.length, size })
  }
  const addInside = (of: Container, path: string, level: number): void => {
    const all = shownEntries(of, found)
    const shown = all.slice(0, mostAt(path))
    const entries = shown.map(([key, value]): Entry => [pointerTo(path, key), key, value])
    add(path, all.length, entries, level)
  }
  const top = found ? fields.filter((field) => isFound(field, found)) : fields
  add(ROOT, top.length, top.slice(0, mostAt(ROOT)).map(toEntry), 1)
  return found ? rows : [...rows, ...gone.map(toGone)]
}

const isFound = ({ of, key }: Field, found: Found): boolean => found.inside.get(of)?.has(key) === true

const toEntry = ({ path, key, value }: Field): Entry => [path, key, value]

const toGone = (
  { path, key: name, value }: Field,
  at: number,
  { length: size }: { length: number },
): Row => ({
  id: `gone${path}`,
  path,
  name,
  value,
  level: 1,
  place: at + 1,
  size,
  kind: 'gone',
  isOpen: false,
})
