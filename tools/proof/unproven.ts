import type { QuotaSnapshot } from '../../src/contract/quota.ts'
import type { RequestLogEntry } from '../../src/sandbox/state/request-log.ts'
import type { Call, Recording } from './recording.ts'

/** Until a sign-in is proven, its requests count for no organization. */
export function unprovenCalls({ calls, replies }: Recording): Set<Call> {
  const refused = new Set(
    replies
      .filter(({ action, status }) => action.kind === 'sign_in' && status >= 400)
      .map(({ action }) => action.number),
  )
  return new Set(calls.filter(({ action }) => action !== undefined && refused.has(action.number)))
}

/** The numbers of these requests' lines in the service's log. */
export function unprovenLines(recording: Recording, lines: readonly RequestLogEntry[]): Set<number> {
  const found = new Set<number>()
  for (const { sentAtMs, method, path, answer } of unprovenCalls(recording)) {
    const line = lines.find(
      (one) =>
        !found.has(one.number) &&
        one.at_ms === sentAtMs &&
        one.method === method &&
        one.path === path &&
        (answer === undefined || one.status === answer.status),
    )
    if (line !== undefined) found.add(line.number)
  }
  return found
}

/** The figures of the month that a person sees, without those that time alone changes. */
export function figuresOf({ month: { low, high, limit, plan }, pauses }: QuotaSnapshot): string {
  const isMonthPaused = pauses.some(({ code }) => code === 'month_suspected')
  return `${low} to ${high} of ${limit ?? 'any number'}, plan ${plan}${isMonthPaused ? ', paused' : ''}`
}
