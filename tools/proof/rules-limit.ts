/** Rules on what may be sent while a limit is over, and how long a pause lasts. */
import type { ProblemBody } from '../../src/contract/problem.ts'
import {
  type Action,
  atCall,
  byAction,
  type Call,
  codeOf,
  credentialOf,
  type Found,
  isRead,
  isToken,
  type Recording,
} from './recording.ts'
import { reportedOverUntil } from './reported-limits.ts'

export function never429Twice({ calls }: Recording): Found[] {
  return byAction(calls).flatMap((group) => {
    const refused = group.findIndex(({ answer }) => answer?.status === 429)
    const again = group.slice(refused + 1).find(({ path }) => path === group[refused]?.path)
    return refused === -1 || again === undefined ? [] : [atCall(again)]
  })
}

/** All clients of the token endpoint, or a session with all of its tokens. */
const limitedBy = (call: Call) =>
  isToken(call) ? 'token endpoint' : (call.action?.session ?? credentialOf(call))

export function nothingWhileOver({ calls, choices }: Recording): Found[] {
  const reported = new Map<string, { by: Call; untilMs: number }[]>()
  const found: Found[] = []
  for (const call of calls) {
    const name = limitedBy(call)
    // Requests in flight could not know; another rule finds a 429 that is repeated at once.
    const isRepeat = ({ by }: { by: Call }) => by.action === call.action && by.answer?.status === 429
    const known = (reported.get(name) ?? []).filter(
      (one) => !call.alongside.includes(one.by) && !isRepeat(one),
    )
    if (known.some(({ untilMs }) => call.sentAtMs < untilMs)) found.push(atCall(call))
    const untilMs = reportedOverUntil(call, choices)
    if (untilMs !== undefined)
      reported.set(name, [...(reported.get(name) ?? []).slice(-3), { by: call, untilMs }])
  }
  return found
}

/** A minute, with room for clocks and rounding. */
const MINUTE_PAUSE_MS = 66_000
/** The longest pause that the client makes at the token endpoint. */
const TOKEN_PAUSE_MS = 3_601_000
/** A month, with room for the time zone. */
const MONTH_PAUSE_MS = 33 * 86_400_000

export function pausesEnd({ replies, calls, choices }: Recording): Found[] {
  // Actions in which the token endpoint itself states that it waits for the month.
  const byMonth = new Set(
    calls.filter((call) => isToken(call) && call.over === 'month').map(({ action }) => action),
  )
  const longest = (code: string, action: Action) => {
    if (code === 'month_suspected' || byMonth.has(action)) return MONTH_PAUSE_MS
    return code === 'limit_unknown' && choices.toklimit !== 'not_counted' ? TOKEN_PAUSE_MS : MINUTE_PAUSE_MS
  }
  return replies.flatMap(({ action, status, text }) => {
    if (status !== 429) return []
    const { code = '', retry_in_ms: ms } = JSON.parse(text) as Partial<ProblemBody>
    return ms !== undefined && ms >= 0 && ms <= longest(code, action)
      ? []
      : [{ what: `${action.what} in action ${action.number}: ${code} asks to wait for ${ms} ms` }]
  })
}

/** The rounding of the service's `Date`, from which the client reads the service's clock. */
const ROUNDING_MS = 1000
/** The least time from the refusal to the first press, and from there to each later one. */
const NEXT_TRY_MS = { first: 5000 - ROUNDING_MS, later: 60_000 - ROUNDING_MS }

/** A session that knows the month is used up reads once a minute, until its organization has a success. */
export function oneTryAMinute({ calls, replies }: Recording): Found[] {
  const codes = new Map(
    replies.map(({ action, status, text }) => [action.number, status < 400 ? '' : codeOf(text)]),
  )
  const suspects = new Map<string, { by: Call; isTry: boolean }>()
  const found: Found[] = []
  for (const call of calls.filter(isRead)) {
    const { number = 0, session, organization } = call.action ?? {}
    if (codes.get(number) === '' && (call.answer?.status ?? 500) < 300) {
      for (const [name, { by }] of suspects)
        if (by.action?.organization === organization) suspects.delete(name)
    }
    const before = suspects.get(session ?? '')
    const isPart = session === undefined || before?.by.action === call.action
    if (isPart || (before === undefined && codes.get(number) !== 'month_suspected')) continue
    suspects.set(session, { by: call, isTry: before !== undefined })
    if (before === undefined || call.alongside.includes(before.by)) continue
    const leastMs = before.isTry ? NEXT_TRY_MS.later : NEXT_TRY_MS.first
    if (call.sentAtMs - before.by.sentAtMs < leastMs) found.push(atCall(call))
  }
  return found
}

/** After a refusal, one request finds out whether the minute is reset; the others wait for its answer. */
export function oneProbe({ calls, choices }: Recording): Found[] {
  const isOver = new Set<string>()
  const probes = new Set<Call>()
  const found: Found[] = []
  for (const call of calls.filter(isRead)) {
    const name = limitedBy(call)
    if (call.alongside.some((other) => probes.has(other) && limitedBy(other) === name))
      found.push(atCall(call))
    if (isOver.has(name)) probes.add(call)
    if (reportedOverUntil(call, choices) !== undefined) isOver.add(name)
    else if (call.answer !== undefined) isOver.delete(name)
  }
  return found
}

export const unprovenChangesNothing = ({ figures }: Recording): Found[] =>
  figures
    .filter(({ before, after }) => before !== after)
    .map(({ at, before, after }) => ({ what: `${at}: ${before} became ${after}` }))

/** The recorder saw each request that the service counted, at the same time and address. */
export function nothingUnrecorded({ counted, calls }: Recording): Found[] {
  const sent = new Map<string, number>()
  for (const { method, path, sentAtMs } of calls) {
    const key = `${sentAtMs} ${method} ${path}`
    sent.set(key, (sent.get(key) ?? 0) + 1)
  }
  return counted.flatMap(({ atMs, what }) => {
    const key = `${atMs} ${what}`
    const left = (sent.get(key) ?? 0) - 1
    sent.set(key, left)
    return left < 0 ? [{ what: `${what} at ${new Date(atMs).toISOString()}`, atMs }] : []
  })
}
