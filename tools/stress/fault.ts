// The faults that the faulty app can be told to make, and its notes about its steps.
import type { AppProcess } from './process.ts'

export interface Fault {
  /** The app kills itself with SIGKILL at the call of this number, counted from its start. */
  kill?: { step: number; when: 'before' | 'after' }
  /** The app kills itself at the n-th call of this name. */
  killAtCall?: { call: string; nth: number; when: 'before' | 'after' }
  /** After each answer to a refresh, every write of the store fails for so long. */
  failWritesMs?: number
}

export const withFault = (fault: Fault): Record<string, string> => ({ STRESS_FAULT: JSON.stringify(fault) })

export const stepsOf = (app: AppProcess): string[] =>
  app
    .output()
    .split('\n')
    .filter((line) => /^(before|after|killed) /.test(line))

/** True if the app sent a refresh and ended before it stored the tokens: that answer is lost in any case. */
export function isRefreshLost(steps: readonly string[]): boolean {
  const sent = steps.findLastIndex((line) => /^(before|killed after) \d+ upstream \S+ refresh/.test(line))
  if (sent === -1) return false
  return !steps.slice(sent).some((line) => / \d+ finish done$/.test(line))
}
