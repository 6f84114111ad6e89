// Races that were mended, put back behind the gate to see that the orders find them.
import type { Store } from '../../../src/store/store.ts'
import { withMethods } from '../../../test/kit/store-methods.ts'

/** @param step the number of the present step @returns the store of one process with the fault */
export type PlantedFault = (store: Store, step: () => number) => Store

const isRefresh = (name: string): boolean => name.startsWith('refresh ')

/** Nobody sees the lease of another: two processes refresh at once, and a rotated token is lost. */
const leaseForEverybody: PlantedFault = (store) =>
  withMethods(store, (tables) => ({
    async readNotes(names) {
      const notes = (await tables.readNotes(names)) as ({ value: object } | undefined)[]
      return notes.map((note, nth) =>
        note !== undefined && isRefresh(names[nth] ?? '')
          ? { ...note, value: { ...note.value, lease: undefined } }
          : note,
      )
    },
  }))

/** A process that has lost its lease removes the note of the next refresh. */
const removeLeaseOfNext: PlantedFault = (store) =>
  withMethods(store, (tables) => ({
    changeNote(name, change, lapsesAtMs) {
      if (!isRefresh(name)) return tables.changeNote(name, change, lapsesAtMs)
      const removing = ((known: unknown) => {
        const changed: unknown = change(known)
        return JSON.stringify(changed) === JSON.stringify(known) ? undefined : changed
      }) as typeof change
      return tables.changeNote(name, removing, lapsesAtMs)
    },
  }))

const STALE_STEPS = 15

/** The tokens stay as they were read for some steps: a refresh is not seen. */
const keepTokens: PlantedFault = (store, step) => {
  const read = new Map<string, { at: number; tokens: Uint8Array | undefined }>()
  return withMethods(store, (tables) => ({
    async readGrant(id) {
      const known = read.get(id)
      if (known !== undefined && step() - known.at < STALE_STEPS) return known.tokens
      const tokens = await tables.readGrant(id)
      read.set(id, { at: step(), tokens })
      return tokens
    },
  }))
}

/** By their line in the changelog. */
export const PLANTED_FAULTS: Record<string, PlantedFault> = {
  'two processes lost rotated tokens': leaseForEverybody,
  'a process that had lost its lease removed that of the next refresh': removeLeaseOfNext,
  'a process kept the tokens as they were before a refresh': keepTokens,
}
