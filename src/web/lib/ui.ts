/** The only store: the quota, and the state of the page itself. It holds no data of an organization. */
import type { ComponentType } from 'react'
import { create } from 'zustand'
import type { Problem } from '../../contract/problem.ts'
import type { QuotaSnapshot } from '../../contract/quota.ts'
import type { Language } from '../text/languages.ts'

/** `connecting`: for the first time. `not_live`: the page may be out of date. */
export type LiveState = 'connecting' | 'live' | 'not_live'

/** Its delays run from `atMs`, on a clock that nobody can set. */
export interface ReceivedQuota {
  snapshot: QuotaSnapshot
  /** performance.now() at receipt. */
  atMs: number
  /** The server's time at receipt, UNIX milliseconds, for dates alone. */
  wallMs: number
}

export interface Ui {
  quota: ReceivedQuota | undefined
  quotaProblem: Problem | undefined
  /** The machine has slept since the snapshot: its two clocks disagree. */
  drifted: boolean
  /** This browser's clock is ahead of the server's by this; 0 if it is right to two minutes. */
  clockAheadMs: number
  /** Paid requests of this tab under way; all are reads. */
  sending: number
  /** Before the title of every page; empty unless the month is low or used up. */
  titleMark: string
  /** Set if a person has chosen it since the page opened. */
  language: Language | undefined
  /** The server has a newer version, and the page waits for a person to reload it. */
  isOutdated: boolean
  /** The list of keyboard shortcuts, if it is open. */
  sheet: ComponentType | undefined
  live: LiveState
  /** Date.now() when the page lost the stream; valid while `live` is `not_live`. */
  notLiveSinceMs: number
  /** performance.now() at the next attempt; valid while `live` is `not_live`. */
  liveRetryAtMs: number
}

export const useUi = create<Ui>(() => ({
  quota: undefined,
  quotaProblem: undefined,
  drifted: false,
  clockAheadMs: 0,
  sending: 0,
  titleMark: '',
  language: undefined,
  isOutdated: false,
  sheet: undefined,
  live: 'connecting',
  notLiveSinceMs: 0,
  liveRetryAtMs: 0,
}))
