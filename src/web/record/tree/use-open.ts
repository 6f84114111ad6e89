/** The branches open at first, changed by what a person shows and hides. */
import { useMemo, useState } from 'react'
import type { Field } from '../fields.ts'
import { AT_FIRST, EXPANDED, openBranches, PAGE } from './open.ts'
import type { View } from './rows.ts'
import type { Found } from '../search.ts'

export type OpenAtFirst = 'first' | 'all' | 'none'

interface Toggled {
  /** Each search has its own. */
  by?: Found | undefined
  isOpen: ReadonlyMap<string, boolean>
  /** How many rows of a list or object are in view, if not {@link PAGE}. */
  most: ReadonlyMap<string, number>
}

const NOTHING: Toggled = { isOpen: new Map(), most: new Map() }

export function useOpen(fields: readonly Field[], found: Found | undefined) {
  const [base, setBase] = useState<OpenAtFirst>('first')
  const [latest, setToggled] = useState(NOTHING)
  const open = useMemo(() => {
    if (found) return openBranches(fields, EXPANDED, found)
    return base === 'none' ? new Set() : openBranches(fields, base === 'all' ? EXPANDED : AT_FIRST)
  }, [fields, found, base])
  const toggled = latest.by === found ? latest : NOTHING
  const view: View = useMemo(
    () => ({
      isOpen: (path, value) => toggled.isOpen.get(path) ?? open.has(value),
      mostAt: (path) => toggled.most.get(path) ?? PAGE,
    }),
    [open, toggled],
  )
  return {
    view,
    setOpen: (path: string, isOpen: boolean) =>
      setToggled({ ...toggled, by: found, isOpen: new Map(toggled.isOpen).set(path, isOpen) }),
    showMore: (path: string, shown: number) =>
      setToggled({ ...toggled, by: found, most: new Map(toggled.most).set(path, shown + PAGE) }),
    setAll: (to: OpenAtFirst) => {
      setBase(to)
      setToggled(NOTHING)
    },
  }
}
