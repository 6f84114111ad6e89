/** The only store: the quota, and the state of the page itself. It holds no data of an organization. */
import { create } from 'zustand'
import type { Problem } from '../../contract/problem.ts'
import type { QuotaSnapshot } from '../../contract/quota.ts'
import type { Language } from '../text/languages.ts'

/** State of the event stream. `connecting`: for the first time. `not_live`: the page may be out of date. */
export type LiveState = 'connecting' | 'live' | 'not_live'

/** A snapshot, whose delays run from `atMs`, on a clock that nobody can set. */
export interface ReceivedQuota {
  snapshot: QuotaSnapshot
  /** performance.now() at receipt. */
  atMs: number
  /** Date.now() at receipt, for dates alone. */
  wallMs: number
}

/**
 * The reason why this tab has no session. `leaving`: the server has not answered yet. `unreported`: the tab
 * forgot everything, but could not reach the server.
 */
export type SignOut = { kind: 'leaving' | 'done' } | { kind: 'unreported' | 'ended'; problem: Problem }

export interface Ui {
  quota: ReceivedQuota | undefined
  quotaProblem: Problem | undefined
  /** The machine has slept since the snapshot: its two clocks disagree. */
  drifted: boolean
  /** Paid requests of this tab that are under way; all of them are reads. */
  sending: number
  /**
   * The page came out of the browser's memory, or may go there: it shows nothing until it knows who is signed
   * in.
   */
  masked: boolean
  signOut: SignOut | undefined
  /** The mark before the title of every page; empty unless the month is low or used up. */
  titleMark: string
  /** The language in use, if a person has chosen it since the page opened. */
  language: Language | undefined
  /** The state of the event stream. */
  live: LiveState
  /** performance.now() at the next attempt to open the stream; valid while `live` is `not_live`. */
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
