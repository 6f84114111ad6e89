/** Decides which branches of a record are open at first: as many as a page can show without being slow. */
import { type Container, isBranch, isFlat, sizeOf } from '../value.ts'
import type { Field } from '../fields.ts'
import { type Found, shownEntries } from '../search.ts'

/** Rows of one list or object that the page shows at first, and adds with each press on "more". */
export const PAGE = 100

interface Limits {
  /** Rows in all open branches. */
  mostRows: number
  /** Levels below the record. */
  deepest: number
  /** The items of a list stay closed if one line shows them whole. */
  foldsItems?: true
}

export const AT_FIRST: Limits = { mostRows: 150, deepest: 3, foldsItems: true }
export const EXPANDED: Limits = { mostRows: 500, deepest: 200 }

/** Level by level. A branch that would be too much stays closed until a person opens it. */
export function openBranches(fields: readonly Field[], limits: Limits, found?: Found): Set<object> {
  const open = new Set<object>()
  const isShown = ({ of, key }: Field): boolean =>
    found === undefined || found.inside.get(of)?.has(key) === true
  let level = fields.filter(isShown).map(({ value }) => value)
  let rows = 0
  for (let depth = 0; depth < limits.deepest && level.length > 0; depth += 1) {
    const opened = level.filter((value): value is Container => {
      if (!isBranch(value) || (found && !found.inside.has(value))) return false
      const size = Math.min(PAGE, found?.inside.get(value)?.size ?? sizeOf(value))
      if (rows + size > limits.mostRows) return false
      rows += size
      open.add(value)
      return true
    })
    level = opened.flatMap((value) =>
      shownEntries(value, found)
        .slice(0, PAGE)
        .map(([, inner]) => inner)
        .filter((inner) => !(limits.foldsItems && Array.isArray(value) && isFlat(inner))),
    )
  }
  return open
}
