/** Observes what answers say of the limits, admits or refuses the next request, and remembers both for all who share a token. */
import { fold, type Gauges, type Window, waitFor, wasUsedUp, windowAt } from '../contract/gauge.ts'
import { guessPlan, type Plan } from '../contract/plan.ts'
import { Problem } from '../contract/problem.ts'
import type { Pause } from '../contract/quota.ts'
import {
  attribute,
  kindsInReadMinute,
  type Observation,
  RATE_LIMIT_PATH,
  type RequestClass,
  readRateHeaders,
  readRateRecord,
} from '../contract/rate-limit.ts'
import { classifyRefusal, type Refusal, readRetryAfter } from '../contract/refusal.ts'
import type { House } from './house.ts'
import { type Answer, readMonth, serviceNowMs } from './month.ts'
import { suspectMonth } from './suspicion.ts'

/** Whose limits: the minute is counted per token (8.2), the month per organization (8.3). */
export interface Spender {
  token: string
  organization: string
}

interface Stop extends Omit<Refusal, 'retryInMs'> {
  /** The service's time, UNIX milliseconds. */
  untilMs: number
}

export interface TokenNote {
  gauges: Gauges
  stops: { readonly [Class in RequestClass]?: Stop }
}

interface OrganizationNote {
  /** Minute limits seen with any of its tokens, from which the plan is guessed. */
  limits: { readonly [Class in RequestClass]?: number }
  suspicion?: Stop
}

/** A note outlives every window and pause that it can hold. */
export const NOTE_LIFETIME_MS = 40 * 86_400_000
const EMPTY: TokenNote = { gauges: {}, stops: {} }

export const tokenNote = (token: string) => `token ${token}`
const organizationNote = (organization: string) => `organization ${organization}`

async function readNotes(
  house: House,
  { token, organization }: Spender,
): Promise<[TokenNote, OrganizationNote]> {
  const [ofToken, ofOrganization] = await Promise.all([
    house.store.readNote(tokenNote(token)),
    house.store.readNote(organizationNote(organization)),
  ])
  return [
    (ofToken as TokenNote | undefined) ?? EMPTY,
    (ofOrganization as OrganizationNote | undefined) ?? { limits: {} },
  ]
}

const inFlightKey = (token: string, requestClass: RequestClass) => `${requestClass} ${token}`

/**
 * Lets one request through, or not: what is known to be over for the minute is not sent.
 * @param pressed whether a person asked for this very request: a suspicion of the month stops everything else
 * @returns what is to be called when the request has been answered
 * @throws Problem `rate_limited`, `limit_unknown`, `month_suspected`
 */
export async function admit(
  house: House,
  spender: Spender,
  requestClass: RequestClass,
  pressed: boolean,
): Promise<() => void> {
  const [{ gauges, stops }, { suspicion }] = await readNotes(house, spender)
  const { inFlight, probes } = house.memory
  const key = inFlightKey(spender.token, requestClass)
  const nowMs = serviceNowMs(house)
  for (const stop of [stops[requestClass], ...(pressed ? [] : [suspicion])]) {
    if (stop !== undefined && stop.untilMs > nowMs)
      throw new Problem(stop.code, { retryInMs: stop.untilMs - nowMs, reasons: stop.reasons })
  }
  const window = windowAt(gauges[requestClass], nowMs)
  const waitMs = waitFor(window, inFlight.get(key) ?? 0)
  if (waitMs !== undefined)
    throw new Problem('rate_limited', {
      retryInMs: waitMs,
      reasons: ['No requests of this minute are left.'],
    })
  // A reset is a hint (2.2): one request finds out, and all others wait for what it is told.
  const isDoubtful =
    stops[requestClass] !== undefined || (window.known !== 'measured' && wasUsedUp(gauges[requestClass]))
  const probe = probes.get(key)
  if (isDoubtful && probe !== undefined) {
    await probe
    return admit(house, spender, requestClass, pressed)
  }
  let answered = () => {}
  if (isDoubtful) {
    probes.set(
      key,
      new Promise<void>((resolve) => {
        answered = resolve
      }),
    )
  }
  inFlight.set(key, (inFlight.get(key) ?? 0) + 1)
  return () => {
    if (isDoubtful) probes.delete(key)
    answered()
    const left = (inFlight.get(key) ?? 1) - 1
    if (left > 0) inFlight.set(key, left)
    else inFlight.delete(key)
  }
}

/**
 * Folds an answer into what is known. A 429 is told apart and remembered as a pause, never as anything else; a success
 * clears a suspicion of the month.
 * @returns the Problem that a 429 means, or another refusal that may be the month's; `undefined` for all else
 */
export async function observe(
  house: House,
  spender: Spender,
  requestClass: RequestClass,
  path: string,
  answer: Answer,
): Promise<Problem | undefined> {
  const { servedAtSeconds, status } = answer
  const nowMs = serviceNowMs(house)
  const lapsesAtMs = house.now() + NOTE_LIFETIME_MS
  const reading = readRateHeaders(answer.headers, servedAtSeconds)
  const seen = attribute(reading, requestClass, servedAtSeconds)
  const observations = [seen, ...recordOf(path, answer)].filter(
    ({ limit, remaining, resetAtSeconds }) =>
      limit !== undefined || remaining !== undefined || resetAtSeconds !== undefined,
  )
  const [{ gauges, stops }, known] = await readNotes(house, spender)
  const refusal =
    status === 429
      ? classifyRefusal({
          // What is said of another class says nothing of this one.
          reading: seen.class === requestClass ? reading : { notes: [] },
          retryAfterMs: readRetryAfter(answer.headers, nowMs),
          serviceNowMs: nowMs,
          sentThisMinute: await house.store.countSent(spender.token, kindsInReadMinute(), nowMs - 60_000),
          limit:
            windowAt(gauges[requestClass], nowMs).limit ??
            known.limits[requestClass] ??
            guessPlan(known.limits)?.[PLAN_LIMIT[requestClass]],
          unknownBefore: stops[requestClass]?.code === 'limit_unknown',
        })
      : await suspectMonth(house, spender.organization, guessPlan(known.limits), answer)
  const retryInMs =
    refusal && (refusal.retryInMs ?? (await readMonth(house, spender.organization)).resetsInMs.earliest)
  const served = status >= 200 && status < 300 && refusal === undefined
  const stop = refusal && { code: refusal.code, reasons: refusal.reasons, untilMs: nowMs + (retryInMs ?? 0) }

  await house.store.changeNote(
    tokenNote(spender.token),
    (note): TokenNote => {
      const { gauges: before, stops: paused } = (note as TokenNote | undefined) ?? EMPTY
      const { [requestClass]: previous, ...rest } = paused
      const next = stop?.code === 'month_suspected' ? previous : longer(previous, stop)
      return {
        gauges: fold(before, observations),
        stops: next !== undefined && !served ? { ...rest, [requestClass]: next } : rest,
      }
    },
    lapsesAtMs,
  )
  const limits = observations.reduce<OrganizationNote['limits']>(
    (sum, seen) => (seen.limit === undefined ? sum : { ...sum, [seen.class]: seen.limit }),
    {},
  )
  const learn = (note: unknown): OrganizationNote => {
    const before = (note as OrganizationNote | undefined) ?? { limits: {} }
    const suspicion = stop?.code === 'month_suspected' ? stop : served ? undefined : before.suspicion
    return { limits: { ...before.limits, ...limits }, ...(suspicion && { suspicion }) }
  }
  // Most answers teach nothing new of the organization, and a look is cheaper than a write.
  if (JSON.stringify(learn(known)) !== JSON.stringify(known)) {
    await house.store.changeNote(organizationNote(spender.organization), learn, lapsesAtMs)
  }
  return refusal && new Problem(refusal.code, { retryInMs, reasons: refusal.reasons })
}

const PLAN_LIMIT = { read: 'read_per_minute', update: 'update_per_minute' } as const

/** A pause may be made longer by what comes later, never shorter. */
export const longer = (a: Stop | undefined, b: Stop | undefined) =>
  a === undefined || (b !== undefined && b.untilMs >= a.untilMs) ? b : a

function recordOf(path: string, { status, text, servedAtSeconds }: Answer): Observation[] {
  if (path !== RATE_LIMIT_PATH || status !== 200) return []
  const { read, update } = readRateRecord(parseJson(text), servedAtSeconds)
  return [
    ...(read ? [{ ...read, class: 'read' as const, assumed: false, servedAtSeconds }] : []),
    ...(update ? [{ ...update, class: 'update' as const, assumed: false, servedAtSeconds }] : []),
  ]
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** All that is known of a spender's limits now. */
export async function readLimits(
  house: House,
  spender: Spender,
): Promise<{
  windows: Record<RequestClass, Window & { inFlight: number }>
  pauses: Pause[]
  plan: Plan | undefined
}> {
  const [{ gauges, stops }, { limits, suspicion }] = await readNotes(house, spender)
  const nowMs = serviceNowMs(house)
  const window = (requestClass: RequestClass) => ({
    ...windowAt(gauges[requestClass], nowMs),
    inFlight: house.memory.inFlight.get(inFlightKey(spender.token, requestClass)) ?? 0,
  })
  const pause = (stop: Stop | undefined, requestClass?: RequestClass): Pause[] =>
    stop === undefined || stop.untilMs <= nowMs
      ? []
      : [
          {
            code: stop.code,
            ...(requestClass && { class: requestClass }),
            ends_in_ms: Math.ceil(stop.untilMs - nowMs),
            reasons: stop.reasons,
          },
        ]
  return {
    windows: { read: window('read'), update: window('update') },
    pauses: [...pause(stops.read, 'read'), ...pause(stops.update, 'update'), ...pause(suspicion)],
    plan: guessPlan(limits),
  }
}
