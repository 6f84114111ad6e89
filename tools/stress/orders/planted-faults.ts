// Races that were mended, put back behind the gate to see that the orders find them.
import type { Store, StoredSession } from '../../../src/store/store.ts'
import type { SimulatedLoop } from './scheduler.ts'

/** @returns the store of one process with the fault */
export type PlantedFault = (store: Store, loop: SimulatedLoop | undefined) => Store

/** Everybody gets the lease: two processes refresh at once, and a rotated token is lost. */
const leaseForEverybody: PlantedFault = (store) => ({
  ...store,
  async acquireLease(name, nowMs, lapsesAtMs) {
    const fence = await store.acquireLease(name, nowMs, lapsesAtMs)
    return fence ?? store.acquireLease(`${name} of another`, nowMs, nowMs)
  },
})

/** A copy that was read before a refresh is written over the new tokens. */
const writeOverNewer: PlantedFault = (store) => ({
  ...store,
  async writeSession(id, session, seenVersion) {
    if (await store.writeSession(id, session, seenVersion)) return true
    const [version] = await store.readSessionVersions([id])
    return version === undefined ? false : store.writeSession(id, session, version)
  },
})

/** A process that has lost its lease removes the note of the next refresh. */
const removeMarkOfNext: PlantedFault = (store) => ({
  ...store,
  changeNote(name, change, lapsesAtMs, options) {
    if (!name.startsWith('refresh ')) return store.changeNote(name, change, lapsesAtMs, options)
    const removing = ((known: unknown) => {
      const changed: unknown = change(known)
      return JSON.stringify(changed) === JSON.stringify(known) ? undefined : changed
    }) as typeof change
    return store.changeNote(name, removing, lapsesAtMs, options)
  },
})

const STALE_ITERATIONS = 4

/** A session stays as it was read for some iterations of the event loop, beside notes that are newer. */
const keepSession: PlantedFault = (store, loop) => {
  const read = new Map<string, { iteration: number; session: StoredSession | undefined }>()
  const iteration = () => loop?.iteration() ?? 0
  return {
    ...store,
    async readSession(id) {
      const known = read.get(id)
      if (known !== undefined && iteration() - known.iteration < STALE_ITERATIONS) return known.session
      const session = await store.readSession(id)
      read.set(id, { iteration: iteration(), session })
      return session
    },
    async writeSession(id, ...rest) {
      read.delete(id)
      return store.writeSession(id, ...rest)
    },
  }
}

/** By their line in the changelog. */
export const PLANTED_FAULTS: Record<string, PlantedFault> = {
  'two processes lost rotated tokens': leaseForEverybody,
  'the next stored copy dropped refreshed tokens': writeOverNewer,
  'a process that had lost its lease removed the mark of the next refresh': removeMarkOfNext,
  'a process that saw the end of a read did not see its copy': keepSession,
}
