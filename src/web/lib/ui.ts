/** The one store: what is known of the quota, and what the page itself is doing. No data of an organization is in it. */
import { create } from 'zustand'
import type { Problem } from '../../contract/problem.ts'
import type { QuotaSnapshot } from '../../contract/quota.ts'
import type { Language } from '../text/language.ts'

/** State of the stream of changes. `connecting`: for the first time. `not_live`: the page may be out of date. */
export type LiveState = 'connecting' | 'live' | 'not_live'

/** A snapshot holds delays; they run from here, on a clock that cannot be set. */
export interface ReceivedQuota {
  snapshot: QuotaSnapshot
  /** performance.now() at receipt. */
  atMs: number
  /** Date.now() at receipt, for dates alone. */
  wallMs: number
}

/**
 * How this tab came to have no session. `leaving`: the server has not answered yet. `unreported`: the tab forgot everything,
 * but the server was not reached.
 */
export type SignOut = { kind: 'leaving' | 'done' } | { kind: 'unreported' | 'ended'; problem: Problem }

export interface Ui {
  quota: ReceivedQuota | undefined
  quotaProblem: Problem | undefined
  /** The two clocks of this machine disagree since the snapshot: it slept. */
  drifted: boolean
  /** Paid requests of this tab that are under way; all of them are reads. */
  sending: number
  /** The page came out of the browser's memory, or may go there: nothing is shown before it is known who is signed in. */
  masked: boolean
  signOut: SignOut | undefined
  /** What stands before the title of every page: the state of the month, where a person should see it. */
  titleMark: string
  /** The language in use, where it was chosen since the page was opened. */
  language: Language | undefined
  /** Whether changes come by themselves. */
  live: LiveState
  /** performance.now() of the next attempt to open the stream; meant only while it is not live. */
  liveRetryAtMs: number
}

export const useUi = create<Ui>(() => ({
  quota: undefined,
  quotaProblem: undefined,
  drifted: false,
  sending: 0,
  masked: false,
  signOut: undefined,
  titleMark: '',
  language: undefined,
  live: 'connecting',
  liveRetryAtMs: 0,
}))
