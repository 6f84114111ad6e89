import { HOUR_MS, SECOND_MS } from '../../contract/duration.ts'
import type { SignedIn } from '../../contract/session.ts'
import { useElapsed } from '../lib/clock.ts'

export interface Ending {
  session: SignedIn
  /** UNIX milliseconds. */
  answeredAtMs: number
}

/** UNIX milliseconds. */
export const endOf = ({ session, answeredAtMs }: Ending): number => answeredAtMs + session.ends_in * SECOND_MS

/** So long before the end of a session the page says that it ends. */
export const SOON_MS = 12 * HOUR_MS

/** Milliseconds until the end, by the clock that also runs while the computer sleeps. */
export function useLeft(ending: Ending): number {
  useElapsed(0)
  return leftUntil(endOf(ending))
}

const leftUntil = (atMs: number): number => Math.max(0, atMs - Date.now())
