// What the faulty app is to do wrong, and what it wrote of its steps.
import type { AppProcess } from './process.ts'

export interface Fault {
  /** Ends itself with SIGKILL at the call of this number, counted from its start. */
  kill?: { step: number; when: 'before' | 'after' }
  /** The same at the n-th call of this name. */
  killAtCall?: { call: string; nth: number; when: 'before' | 'after' }
  /** Every write of the store fails for so long after each answer to a refresh. */
  failWritesMs?: number
}

export const withFault = (fault: Fault): Record<string, string> => ({ STRESS_FAULT: JSON.stringify(fault) })

/** The steps that a faulty app has started and finished, in order. */
export const stepsOf = (app: AppProcess): string[] =>
  app
    .output()
    .split('\n')
    .filter((line) => /^(before|after|killed) /.test(line))

/** Whether a refresh was sent whose tokens were not stored before the end: their answer is lost, whatever the app does. */
export function isRefreshLost(steps: readonly string[]): boolean {
  const sent = steps.findLastIndex((line) => /^(before|killed after) \d+ upstream \S+ refresh/.test(line))
  if (sent === -1) return false
  return !steps.slice(sent).some((line) => / \d+ writeSession done$/.test(line))
}
