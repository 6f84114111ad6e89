/** Rules that hold at every service, whatever it chooses: each finds its first violation in a recording. */
import { PLANS } from '../../src/contract/plan.ts'
import { PROBLEMS } from '../../src/contract/problem.ts'
import type { QuotaSnapshot } from '../../src/contract/quota.ts'
import { readRetryAfter } from '../../src/contract/refusal.ts'
import { idOnWire } from '../../src/sandbox/api/organization.ts'
import { type Choices, changedChoices } from '../../src/sandbox/choices/choices.ts'
import {
  type Action,
  type Call,
  codeOf,
  credentialOf,
  isEnd,
  isGood,
  isRead,
  isRefresh,
  isToken,
  parse,
  type Reply,
} from './call.ts'
import { isClockRight, isResetBetween, lastResetMs } from './truth.ts'
import type { SeenAtOnce, World } from './world.ts'

type Violation = string | undefined

const RULES = {
  'no secret leaves the bff': noSecretLeaves,
  'never two credentials, never one in an address': ({ calls, secrets }) =>
    first(calls, ({ headers, parameters, path, query }) => {
      const others = [...headers].filter(([name]) => !['authorization', 'x-service-api-key'].includes(name))
      const readable = [path + query, ...others.flat()].join('\n')
      const isTwice =
        headers.has('Authorization') && (headers.has('X-Service-Api-Key') || parameters.has('client_secret'))
      return isTwice || [...secrets].some((secret) => readable.includes(secret))
    }),
  'nothing but the specified endpoints': ({ calls }) =>
    first(calls, ({ method, path, query }) => !SPECIFIED.test(`${method} ${path}${query}`)),
  'nothing is sent without an action': ({ calls }) =>
    first(calls, ({ action }) => action === undefined || action.kind === 'free'),
  'every request is recorded before it is sent': ({ calls }) => first(calls, ({ isRecorded }) => !isRecorded),
  'one press, one request': onePressOneRequest,
  'a 429 is never repeated': ({ calls }) =>
    first(calls, (call) =>
      before(call).some(({ answer, path }) => answer?.status === 429 && path === call.path),
    ),
  'one refresh at a time': ({ calls }) =>
    first(calls.filter(isRefresh), ({ action, alongside }) =>
      alongside.some((other) => isRefresh(other) && other.action?.session === action?.session),
    ),
  'no refresh token twice, but after a lost answer': noRefreshTokenTwice,
  // A second use of a whole callback is a second use of its state.
  'no code twice': ({ calls }) =>
    first(calls, (call) => {
      const code = call.parameters.get('code')
      return code !== undefined && before(call).some(({ parameters }) => parameters.get('code') === code)
    }),
  // Among sign-ins with one state, only the first reaches the service.
  'no state twice': ({ calls }) =>
    first(calls, ({ action, number }) => {
      const isOther = (call: Call) => call.action !== action && call.action?.state === action?.state
      return action?.state !== undefined && calls.slice(0, number - 1).some(isOther)
    }),
  'a session that has ended stays ended': endedStaysEnded,
  'an answer is of its own organization': ownOrganizationOnly,
  'nothing is sent that is known to be over': nothingWhileOver,
  'one try a minute while the month is used up': oneTryAMinute,
  'a pause is no longer than its limit': pausesEnd,
  'one probe after a reset': oneProbe,
  'a refusal over the month is shown until it ends': suspicionShown,
  'the service counts no request that is not recorded': ({ counted }) => counted[0],
  'every failure is one of the table': closedTable,
} satisfies Record<string, (world: World) => Violation>

export type InvariantName = keyof typeof RULES | SeenAtOnce

/** Every invariant that is violated, as `invariant: first violation`. */
export function violationsOf(world: World): string[] {
  const found = new Map(world.seen)
  for (const [name, rule] of Object.entries<(world: World) => Violation>(RULES)) {
    const what = rule(world)
    if (what !== undefined) found.set(name, what)
  }
  // A request too many has no row of its own, and may come too early, whatever else is wrong with it.
  if (found.size > 1) found.delete('every request is recorded before it is sent')
  const early = found.size === 0 ? sentWhileOver(world) : undefined
  if (early !== undefined) found.set('nothing is sent that is known to be over', early)
  return [...found].map((one) => one.join(': '))
}

/** With many choices the headers may be unreadable. A person may try again although the month is used up. */
const sentWhileOver = ({ calls, choices }: World): Violation =>
  changedChoices(choices).length > 1
    ? undefined
    : first(calls, ({ line }) => line?.verdict === 'sent_while_over' && line.rule !== 'month_over')

function firstOf<Of>(all: Iterable<Of>, find: (one: Of) => Violation): Violation {
  for (const one of all) {
    const found = find(one)
    if (found !== undefined) return found
  }
  return undefined
}

const first = (calls: readonly Call[], isWrong: (call: Call) => boolean): Violation =>
  firstOf(calls, (call) => (isWrong(call) ? atCall(call) : undefined))

const atCall = ({ number, method, path, action }: Call): string =>
  `request ${number}, ${method} ${path}, in ${action ? atAction(action) : 'no action'}`

const atAction = ({ what, number }: Action): string => `${what}, action ${number}`

/** The requests of the same action before this one. */
const before = ({ action, number }: Call): Call[] =>
  (action?.calls ?? []).filter((one) => one.number < number)

const SPECIFIED = /^(POST \/oauth2\/token|GET \/organizations(\/[1-9]\d*)?|GET \/rate_limit)$/

function noSecretLeaves({ replies, app, secrets }: World): Violation {
  const seen = replies.flatMap(({ text, headers }) => [text, ...[...headers].flat()]).join('\n')
  const logged = JSON.stringify(app.log)
  return firstOf(secrets, (secret) => {
    if (seen.includes(secret)) return 'a secret is in an answer to the browser'
    return logged.includes(secret) ? 'a secret is in the log' : undefined
  })
}

/** A read is sent again only with a fresh token, after a refusal as expired; 429 has a rule of its own. */
function onePressOneRequest({ calls }: World): Violation {
  return first(calls.filter(isRead), (call) => {
    const [one, ...more] = before(call).filter(isRead)
    const status = one?.answer?.status ?? 0
    if (one === undefined || status === 429) return false
    const isRenewed = credentialOf(one) !== credentialOf(call) && [401, 403, 440].includes(status)
    return !isRenewed || more.length > 0
  })
}

/** After an answer that leaves it valid it may be sent again, but not within the same action at once. */
function noRefreshTokenTwice({ calls }: World): Violation {
  const refreshes = calls.filter(isRefresh)
  return first(refreshes, (call) => {
    const token = call.parameters.get('refresh_token')
    const isSame = ({ parameters }: Call) => parameters.get('refresh_token') === token
    // Other rules check what an ended session sends, and what is sent at the same time.
    if (isAfterEnd(call.action) || call.alongside.some(isSame)) return false
    // A press may outlast the shortest pause after a failed refresh.
    const isAtOnce = (one: Call) => isSame(one) && call.sentAtMs - one.sentAtMs < 1000
    const isOver = (one: Call) => isSame(one) && one.number < call.number && endsToken(one)
    return (
      call.line?.verdict === 'refresh_token_used_twice' ||
      before(call).some(isAtOnce) ||
      refreshes.some(isOver)
    )
  })
}

/** The service's verdict knows neither an error of another shape (tokerr), nor a token that is left valid. */
function endsToken({ answer, parameters }: Call): boolean {
  const text = answer?.text ?? ''
  if (answer === undefined || parse(text) === undefined) return false
  const next = /"refresh_token"\s*:\s*"([^"]+)/.exec(text)?.[1] ?? parameters.get('refresh_token')
  return isEnd(answer) || (answer.status < 300 && next !== parameters.get('refresh_token'))
}

const isAfterEnd = (action: Action | undefined): boolean =>
  (action?.number ?? 0) > (action?.session?.endedBy ?? Infinity)

/** After a sign-out or `access_withdrawn`, the cookie opens nothing and sends nothing. */
function endedStaysEnded({ calls, replies }: World): Violation {
  const isOpened = ({ action: { what }, status, text }: Reply) =>
    what === 'GET /bff/session' ? text.includes('"signed_in":true') : status < 400
  const isWrong = (reply: Reply) =>
    isAfterEnd(reply.action) && !/^(DELETE|POST) /.test(reply.action.what) && isOpened(reply)
  return (
    first(calls, ({ action }) => isAfterEnd(action)) ??
    firstOf(replies, (reply) => (isWrong(reply) ? atAction(reply.action) : undefined))
  )
}

/** The names of the two organizations, and the limits of their plans. */
const MARKS = [
  { id: 1001, name: 'Harbour Rope Works', limit: PLANS.standard.read_per_minute },
  { id: 2002, name: 'Meridian Shipping', limit: PLANS.business.read_per_minute },
]

function ownOrganizationOnly({ replies, choices }: World): Violation {
  return firstOf(replies, ({ action, status, text }) => {
    if (status >= 400) return undefined
    const isForeign = ({ id, name, limit }: (typeof MARKS)[0]) =>
      !action.organization.endsWith(idOnWire({ choices }, { id })) &&
      (text.includes(name) ||
        (action.what === 'GET /api/rate_limit' && new RegExp(`"limit":\\s*"?${limit}\\b`).test(text)))
    return MARKS.some(isForeign) ? atAction(action) : undefined
  })
}

const READ_LIMITS = ['60', '600']
const LONGEST_HINT_MS = 120_000
const wholeSecond = (ms: number): number => Math.floor(ms / 1000) * 1000

/**
 * @returns until when the limit of this request is over by its answer, on the client's clock; `undefined` if
 * the answer states nothing about it. The nearest of several hints counts, so the client is accused only of
 * what no client could doubt. A month that is over is left out, because a person may try again.
 */
function overUntil({ answer, over, sentAtMs }: Call, choices: Choices): number | undefined {
  if (answer === undefined || over === 'month') return undefined
  const { status, headers } = answer
  const isOfReads = READ_LIMITS.includes(headers.get('X-RateLimit-Limit') ?? '')
  const isHint = (ms: number) => ms > sentAtMs && ms <= sentAtMs + LONGEST_HINT_MS
  const resets = isOfReads ? [resetOf(headers, sentAtMs, choices)].filter(isHint) : []
  if (status === 429) {
    // The service may have written its times before it sent the answer.
    const retryAfterMs = readRetryAfter(headers, Date.parse(headers.get('Date') ?? '') || sentAtMs)
    const hints = [...resets, wholeSecond(sentAtMs) + (retryAfterMs ?? Number.NaN)].filter(isHint)
    return hints.length > 0 ? Math.min(...hints) : undefined
  }
  const left = headers.get('X-RateLimit-Remaining')
  return left !== null && Number(left) <= 0 && choices.remaining === 'after_request' ? resets[0] : undefined
}

/** By how much the service's clock is ahead, by the headers of its answer. */
const aheadOf = (headers: Headers | undefined, sentAtMs: number): number =>
  (Date.parse(headers?.get('Date') ?? '') || wholeSecond(sentAtMs)) - wholeSecond(sentAtMs)

/** The reset in the unit of the choices. The service's clock is only as exact as its Date header. */
function resetOf(headers: Headers, sentAtMs: number, { resetunit }: Choices): number {
  const text = headers.get('X-RateLimit-Reset') || 'none'
  const aheadMs = aheadOf(headers, sentAtMs)
  const read: Record<Choices['resetunit'], () => number> = {
    epoch_seconds: () => Number(text) * 1000 - aheadMs,
    epoch_milliseconds: () => Number(text) - aheadMs,
    seconds_left: () => sentAtMs + Number(text) * 1000,
    iso_date: () => Date.parse(text) - aheadMs,
  }
  return read[resetunit]()
}

/** All clients of the token endpoint, or a session with all of its tokens. */
const limitedBy = (call: Call): unknown =>
  isToken(call) ? 'token endpoint' : (call.action?.session ?? credentialOf(call))

function nothingWhileOver({ calls, choices }: World): Violation {
  const reported = new Map<unknown, { by: Call; untilMs: number }[]>()
  return first(calls, (call) => {
    // Requests in flight could not know; another rule finds a 429 that is repeated at once.
    const isKnown = ({ by, untilMs }: { by: Call; untilMs: number }) =>
      call.sentAtMs < untilMs &&
      !call.alongside.includes(by) &&
      !(by.action === call.action && by.answer?.status === 429)
    const known = reported.get(limitedBy(call)) ?? []
    const untilMs = overUntil(call, choices)
    if (untilMs !== undefined) reported.set(limitedBy(call), [...known.slice(-3), { by: call, untilMs }])
    return known.some(isKnown)
  })
}

/** A minute, with room for clocks and rounding; the longest pause of the token endpoint; any zone's month. */
const LONGEST_PAUSES_MS = { minute: 66_000, token: 3_601_000, month: 33 * 86_400_000 }

function pausesEnd({ replies, choices }: World): Violation {
  return firstOf(replies, ({ action, status, text }) => {
    if (status !== 429) return undefined
    const { code, retry_in_ms: ms } = parse(text) ?? {}
    // The token endpoint itself may say that it waits for the month.
    const isOfMonth =
      code === 'month_suspected' || action.calls.some((call) => isToken(call) && call.over === 'month')
    const isOfToken = code === 'limit_unknown' && choices.toklimit !== 'not_counted'
    const most = LONGEST_PAUSES_MS[isOfMonth ? 'month' : isOfToken ? 'token' : 'minute']
    const isRight = ms !== undefined && ms >= 0 && ms <= most
    return isRight ? undefined : `${atAction(action)}: ${code} asks to wait for ${ms} ms`
  })
}

/** Less by the rounding of the service's `Date`, from which the client reads the service's clock. */
const NEXT_TRY_MS = { first: 5000 - 1000, later: 60_000 - 1000 }

/** The code, if the service refused: after a refresh, also of another press, the client may refuse to go on. */
const refusalOf = ({ action: { calls }, text }: Pick<Reply, 'action' | 'text'>): string =>
  calls.slice(-1).some(isRead) && !text.includes('"reserved_for_') ? codeOf(text) : ''

/** A session that knows the month is used up reads once a minute, until its organization has a success. */
function oneTryAMinute({ calls, replies, choices }: World): Violation {
  const codes = new Map(replies.map((reply) => [reply.action, reply.status < 400 ? 'ok' : refusalOf(reply)]))
  const suspects = new Map<unknown, { by: Call; isTry: boolean }>()
  return first(calls.filter(isRead), (call) => {
    const { action } = call
    if (action === undefined) return false
    const { session, organization } = action
    if (codes.get(action) === 'ok' && (call.answer?.status ?? 500) < 300) {
      for (const [name, { by }] of suspects)
        if (by.action?.organization === organization) suspects.delete(name)
    }
    // At an instant at which the month may be reset, a press is an ordinary one again.
    if (mayHaveBeenReset(suspects.get(session)?.by, call)) suspects.delete(session)
    const last = suspects.get(session)
    const isPart = action.kind === 'sign_in' || last?.by.action === action
    // A read that is repeated after a refresh has shown nothing of the month.
    const isRefusal = codes.get(action) === 'month_suspected' && action.calls.findLast(isRead) === call
    if (isPart || (last === undefined && !isRefusal)) return false
    suspects.set(session, { by: call, isTry: last !== undefined })
    if (last === undefined || call.alongside.includes(last.by)) return false
    // With a wrong clock, the first row of a ledger may be dated later than all that follow for a while.
    const nextMs = last.isTry ? NEXT_TRY_MS.later : isClockRight(choices) ? NEXT_TRY_MS.first : 0
    return call.sentAtMs - last.by.sentAtMs < nextMs
  })
}

/** True if in some zone a month began between the two, by the service's clock. */
function mayHaveBeenReset(earlier: Call | undefined, { sentAtMs }: Call): boolean {
  if (earlier === undefined) return false
  const aheadMs = aheadOf(earlier.answer?.headers, earlier.sentAtMs)
  return isResetBetween(earlier.sentAtMs + aheadMs, sentAtMs + aheadMs)
}

/** After a refusal, one request finds out whether the minute is reset; the others wait for its answer. */
function oneProbe({ calls, choices }: World): Violation {
  const isOver = new Set<unknown>()
  const probes = new Set<Call>()
  return first(calls.filter(isRead), (call) => {
    const name = limitedBy(call)
    if (isOver.has(name)) probes.add(call)
    if (overUntil(call, choices) !== undefined) isOver.add(name)
    else if (call.answer !== undefined) isOver.delete(name)
    return call.alongside.some((other) => probes.has(other) && limitedBy(other) === name)
  })
}

/** From the last refusal for the month until a success, or the last instant at which the month may end. */
function suspicionShown({ replies, choices, zones }: World): Violation {
  const NEVER = { least: -Infinity, most: -Infinity }
  const endMs = new Map<string, { least: number; most: number }>()
  if (!isClockRight(choices)) return undefined
  return firstOf(replies, ({ action, atMs, status, text, isProven }) => {
    const { kind, organization, what, calls } = action
    const reads = calls.filter(isRead)
    if (kind === 'press' && refusalOf({ action, text }) === 'month_suspected')
      endMs.set(organization, lastResetMs(atMs, zones))
    else if (isProven && reads.some(isGood)) endMs.set(organization, NEVER)
    // A lower reading shows that the month was reset, and perhaps where. A sign-in whose read was refused shows
    // its own refusal, and the organization's other sessions do not. Both are right until the next press.
    const isRefusedSignIn = kind === 'sign_in' && reads.length > 0 && !reads.some(isGood)
    if (isRefusedSignIn || (what === 'POST /bff/readings' && status === 409)) endMs.delete(organization)
    const { least, most } = endMs.get(organization) ?? { least: -Infinity, most: Infinity }
    if (what !== 'GET /bff/quota' || status !== 200) return undefined
    const isShown = (JSON.parse(text) as QuotaSnapshot).month.suspected !== undefined
    if (!isShown && atMs < least && isProven) return `${atAction(action)}: no suspicion is shown`
    return isShown && atMs > most ? `${atAction(action)}: a suspicion is shown` : undefined
  })
}

function closedTable({ replies }: World): Violation {
  return firstOf(replies, ({ action, status, headers, text }) => {
    if (status < 400 || !/^(GET|POST|DELETE) \/(bff|api)\b/.test(action.what)) return undefined
    const { code = 'unknown' } = parse(text) ?? {}
    const isRight = code !== 'unknown' && PROBLEMS[code] === status
    return isRight && headers.get('Content-Type') === 'application/problem+json'
      ? undefined
      : `${atAction(action)}: ${status} ${text.slice(0, 60)}`
  })
}
