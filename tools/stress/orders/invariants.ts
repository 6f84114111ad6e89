// The rules that must hold after every order.
import { BUSINESS } from '../../../test/kit/config.ts'
import type { KindCount } from '../../../src/contract/month.ts'
import type { Later } from './order.ts'
import type { Scenario } from './scenario.ts'
import { type Arrival, isRefresh } from './service.ts'
import type { Simulation } from './simulation.ts'

export interface Answered {
  process: number
  path: string
  status: number
  body: Record<string, unknown>
}

export interface Observed {
  answers: readonly Answered[]
  later: readonly Later[]
  /** When the reads began. */
  fromMs: number
  /** The requests at the end of the token, without those of an hour later. */
  raced: readonly Arrival[]
}

export async function judge(
  simulation: Simulation,
  scenario: Scenario,
  observed: Observed,
): Promise<string[]> {
  const raced = observed.raced.filter(isRefresh)
  const isLost = isGrantLost(simulation, scenario, raced)
  return [
    ...(isLost ? [] : nobodyIsTurnedAway(scenario, observed)),
    ...oneTokenRequest(scenario, raced),
    ...(isLost ? [] : tokensAreStored(simulation, scenario)),
    ...answersAreNew(observed),
    ...(await countsAgree(simulation, scenario)),
    ...monthHolds(simulation, observed),
  ]
}

/** A process died with new tokens, and the service takes the old refresh token no more (RFC 9700 4.14.2). */
function isGrantLost(
  { schedule }: Simulation,
  { mode, choices: { rotation, reuse } }: Scenario,
  raced: readonly Arrival[],
): boolean {
  const isRevoked = rotation === 'new_old_revoked' || rotation === 'new_old_valid_30_seconds'
  if (mode !== 'death' || !isRevoked || reuse === 'accepted') return false
  return raced.some(({ process, issued }) => schedule.isDead(process) && issued !== undefined)
}

function nobodyIsTurnedAway({ mode }: Scenario, { answers, later }: Observed): string[] {
  const mayBeLate = mode === 'death' || mode === 'frozen' || mode === 'lease lost'
  const wrong = answers.filter(
    ({ status }) => status !== 200 && !(status === 504 || (mayBeLate && status === 503)),
  )
  const lost = later.filter(({ presses, isSignedIn }) => !isSignedIn || presses.some((one) => one !== '200'))
  return [
    ...wrong.map(
      ({ process, path, status, body }) =>
        `a read of ${path} in process ${process} got ${status} ${String(body['code'])}`,
    ),
    ...lost.map(
      ({ process, presses, isSignedIn }) =>
        `later in process ${process}: ${isSignedIn ? '' : 'signed out, '}${presses.join(', ')}`,
    ),
  ]
}

/**
 * One. Nobody can know of a process that has died, or has lost its lease, whether its request arrives; and a
 * second request may revoke the access token of the first, which then ends too.
 */
function mostRefreshes({ mode, choices: { oldaccess } }: Scenario): number {
  if (mode === 'expired' || mode === 'expiring' || mode === 'refused') return 1
  return mode === 'death' || oldaccess === 'until_expiry' ? 2 : 3
}

function oneTokenRequest(scenario: Scenario, { length }: readonly Arrival[]): string[] {
  return length >= 1 && length <= mostRefreshes(scenario)
    ? []
    : [`${length} token requests for one end of a token`]
}

/** The next refresh sends the refresh token of the last one. */
function tokensAreStored({ service }: Simulation, scenario: Scenario): string[] {
  const refreshes = service.arrivals.filter((one) => isRefresh(one) && one.issued !== undefined)
  const last = refreshes.at(-1)
  const before = refreshes.slice(0, -1).map(({ issued }) => issued)
  const isStored = mostRefreshes(scenario) === 1 ? last?.came === before.at(-1) : before.includes(last?.came)
  return refreshes.length >= 2 && isStored ? [] : ['a rotated refresh token is lost']
}

/** No read gets the copy that was stored at the sign-in. */
function answersAreNew({ answers, fromMs }: Observed): string[] {
  return answers.flatMap(({ status, path, process, body }) => {
    const servedAtMs = body['served_at']
    if (status !== 200 || typeof servedAtMs !== 'number' || servedAtMs >= fromMs) return []
    return [`a read of ${path} in process ${process} got the copy of the sign-in`]
  })
}

async function countsAgree(
  { observer, service, schedule }: Simulation,
  { mode }: Scenario,
): Promise<string[]> {
  const rows = await observer.countByKind(BUSINESS, 0)
  return ['token.refresh', 'api.read', 'rate_limit'].flatMap((kind) => {
    const arrived = service.arrivals.filter((one) => one.kind === kind)
    const settled = sum(rows, kind, (row) => row.outcome === 'settled')
    const all = sum(rows, kind, (row) => row.outcome !== 'void')
    const unsettled = mode === 'death' ? arrived.filter(({ process }) => schedule.isDead(process)).length : 0
    const isRight =
      mode === 'death'
        ? settled <= arrived.length && arrived.length <= all && arrived.length - settled <= unsettled
        : settled === arrived.length && all === settled
    return isRight ? [] : [`the service got ${arrived.length} ${kind}, the ledger has ${settled} to ${all}`]
  })
}

/** The service's own count of the month lies within what a person sees. */
function monthHolds({ service }: Simulation, { later }: Observed): string[] {
  const count = service.sandbox.snapshot().months[BUSINESS]?.count ?? 0
  return later.flatMap(({ process, month }) => {
    if (month === undefined || (month.low <= count && count <= month.high)) return []
    return [
      `the service counts ${count} in the month, process ${process} shows ${month.low} to ${month.high}`,
    ]
  })
}

const sum = (rows: readonly KindCount[], kind: string, fits: (row: KindCount) => boolean): number =>
  rows.filter((row) => row.kind === kind && fits(row)).reduce((total, { count }) => total + count, 0)
