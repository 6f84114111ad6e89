/** Decides before a request whether it may be sent: what is known to be over the limit is not (8.2). */
import { type Gauge, type Window, waitFor, wasUsedUp, windowAt } from '../contract/gauge.ts'
import { Problem } from '../contract/problem.ts'
import type { RequestClass } from '../contract/rate-limit.ts'
import { type Context, type Memory, serviceNowMs } from './context.ts'
import { type LimitOwner, readOrganizationNote, readTokenNote, type StoredPause } from './limit-note.ts'

/** Requests of one class and token that were sent and not answered. */
export const countInFlight = ({ inFlight }: Memory, token: string, requestClass: RequestClass): number =>
  inFlight.get(memoryKey(token, requestClass)) ?? 0

const memoryKey = (token: string, requestClass: RequestClass) => `${requestClass} ${token}`

/**
 * Admits one request, and counts it as in flight.
 * @param requestedByPerson whether a person asked for this very request; a suspicion of the month stops all others
 * @returns what is to be called when the request has been answered
 * @throws Problem `rate_limited`, `limit_unknown`, `month_suspected`
 */
export async function admit(
  context: Context,
  owner: LimitOwner,
  requestClass: RequestClass,
  requestedByPerson: boolean,
): Promise<() => void> {
  const [{ gauges, pauses }, { monthPause }] = await Promise.all([
    readTokenNote(context, owner.token),
    readOrganizationNote(context, owner.organization),
  ])
  const nowMs = serviceNowMs(context)
  const pause = pauses[requestClass]
  assertNoPause(pause, nowMs)
  if (!requestedByPerson) assertNoPause(monthPause, nowMs)
  const window = windowAt(gauges[requestClass], nowMs)
  assertSomeRemain(window, countInFlight(context.memory, owner.token, requestClass))
  const key = memoryKey(owner.token, requestClass)
  if (!isResetDoubtful(pause, window, gauges[requestClass])) return countAsInFlight(context.memory, key)
  // A reset time is a hint (2.2): one request finds out, all others wait for its answer and look again.
  const probe = context.memory.probes.get(key)
  if (probe === undefined) return startProbe(context.memory, key)
  await probe
  return admit(context, owner, requestClass, requestedByPerson)
}

function assertNoPause(pause: StoredPause | undefined, nowMs: number): void {
  if (pause !== undefined && pause.untilMs > nowMs)
    throw new Problem(pause.code, { retryInMs: pause.untilMs - nowMs, reasons: pause.reasons })
}

function assertSomeRemain(window: Window, inFlight: number): void {
  const waitMs = waitFor(window, inFlight)
  if (waitMs === undefined) return
  throw new Problem('rate_limited', {
    retryInMs: waitMs,
    reasons: ['No requests of this minute are left.'],
  })
}

const isResetDoubtful = (pause: StoredPause | undefined, { known }: Window, gauge: Gauge | undefined) =>
  pause !== undefined || (known === 'expired' && wasUsedUp(gauge))

function countAsInFlight({ inFlight }: Memory, key: string): () => void {
  inFlight.set(key, (inFlight.get(key) ?? 0) + 1)
  return () => {
    const left = (inFlight.get(key) ?? 1) - 1
    if (left > 0) inFlight.set(key, left)
    else inFlight.delete(key)
  }
}

function startProbe(memory: Memory, key: string): () => void {
  const { promise, resolve } = withResolvers()
  memory.probes.set(key, promise)
  const release = countAsInFlight(memory, key)
  return () => {
    memory.probes.delete(key)
    resolve()
    release()
  }
}

/** `Promise.withResolvers`, which Node 20 does not have. */
function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
