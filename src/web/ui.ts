/** The one store: what is known of the quota, and what the page itself is in the middle of. Nobody's data is in it. */
import { create } from 'zustand'
import type { Problem } from '../contract/problem.ts'
import type { QuotaSnapshot } from '../contract/quota.ts'

/** A snapshot holds delays; they run from here, on the clock that nobody can set. */
export interface Anchored {
  snapshot: QuotaSnapshot
  /** performance.now() at receipt. */
  atMs: number
  /** What this machine's own clock said then, for dates alone. */
  wallMs: number
}

/** Why nobody is signed in, for the sign-in page to say. `untold`: we forgot everything, but the server was not reached. */
export type Farewell = { kind: 'done' } | { kind: 'untold' | 'ended'; problem: Problem }

export interface Ui {
  quota: Anchored | undefined
  quotaProblem: Problem | undefined
  /** The two clocks of this machine disagree since the snapshot: it slept. */
  drifted: boolean
  /** Paid requests of this tab that are under way; all of them are reads. */
  sending: number
  /** The page came out of the browser's memory, or may go there: nothing is shown before it is known who is signed in. */
  veiled: boolean
  farewell: Farewell | undefined
}

export const useUi = create<Ui>(() => ({
  quota: undefined,
  quotaProblem: undefined,
  drifted: false,
  sending: 0,
  veiled: false,
  farewell: undefined,
}))
