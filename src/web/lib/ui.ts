/** The state of the page itself, which is no answer of the server. */
import { useSyncExternalStore } from 'react'
import { create } from 'zustand'
import type { Language } from '../text/languages.ts'

/** `connecting`: for the first time. `not_live`: the page may be out of date. */
export type LiveState = 'connecting' | 'live' | 'not_live'

export interface Ui {
  /** Before the title of every page; empty unless the month is low or used up. */
  titleMark: string
  /** Set if a person has chosen it since the page opened. */
  language: Language | undefined
  /** The time zone of dates, once it may differ from that of the first drawing. */
  zone: string | undefined
  /** The server has a newer version, and the page waits for a person to reload it. */
  isOutdated: boolean
  /** A person is signing out, here or in another tab. */
  isLeaving: boolean
  live: LiveState
  /** Date.now() at the last sign of life, or when the page first failed to get one. */
  notLiveSinceMs: number
}

export const useUi = create<Ui>(() => ({
  titleMark: '',
  language: undefined,
  zone: undefined,
  isOutdated: false,
  isLeaving: false,
  live: 'connecting',
  notLiveSinceMs: 0,
}))

const never = () => () => {}
const yes = () => true
const no = () => false

/** False on the server, and in the browser until it has taken over the page: what it alone knows waits. */
export const useIsOwn = (): boolean => useSyncExternalStore(never, yes, no)
