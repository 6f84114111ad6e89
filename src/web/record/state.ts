/** The state that the rows of one record share. */
import { createContext, use } from 'react'
import type { Found } from './search.ts'

export interface JsonState {
  found: Found | undefined
  /** JSON pointers. */
  changed: ReadonlySet<string>
  isOpen: (path: string, value: unknown) => boolean
  setOpen: (path: string, isOpen: boolean) => void
}

export const JsonContext = createContext<JsonState>({
  found: undefined,
  changed: new Set(),
  isOpen: () => false,
  setOpen: () => {},
})

export const useJson = (): JsonState => use(JsonContext)
