/** Rules that hold at every service, whatever it chooses: each finds its first violation in a recording. */
import { PLANS } from '../../src/contract/plan.ts'
import { PROBLEMS, type ProblemBody } from '../../src/contract/problem.ts'
import type { QuotaSnapshot } from '../../src/contract/quota.ts'
import { idOnWire } from '../../src/sandbox/api/organization.ts'
import { CONFIG } from '../../test/kit/config.ts'
import { overUntil } from './limits.ts'
import { lastResetMs } from './month-truth.ts'
import {
  type Action,
  type Call,
  codeOf,
  credentialOf,
  isGood,
  isProven,
  isRead,
  isRefresh,
  isToken,
  type Recording,
  type Reply,
} from './recording.ts'

type Violation = string | undefined
type Invariant = (recording: Recording) => Violation

export const INVARIANTS = {
  'no secret leaves the bff': noSecretLeaves,
  'never two credentials, never one in an address': ({ calls, secrets }) =>
    first(calls, ({ authorization, apiKey, parameters, path, query, otherHeaders }) => {
      const readable = [path + query, ...otherHeaders].join('\n')
      const isTwice = authorization !== null && (apiKey !== null || parameters.has('client_secret'))
      return isTwice || [...secrets].some((secret) => readable.includes(secret))
    }),
  'nothing but the specified endpoints': ({ calls }) =>
    first(calls, ({ method, path, query }) => !SPECIFIED.test(`${method} ${path}${query}`)),
  'nothing is sent without an action': ({ calls }) =>
    first(calls, ({ action }) => action === undefined || action.kind === 'free'),
  'every request is recorded before it is sent': ({ calls }) => first(calls, ({ isRecorded }) => !isRecorded),
  'one press, one request': onePressOneRequest,
  'a 429 is never repeated': ({ calls }) =>
    firstOf(byAction(calls), (group) => {
      const refused = group.findIndex(({ answer }) => answer?.status === 429)
      return refused < 0
        ? undefined
        : first(group.slice(refused + 1), ({ path }) => path === group[refused]?.path)
    }),
  'one refresh at a time': ({ calls }) =>
    first(calls.filter(isRefresh), ({ action, alongside }) =>
      alongside.some((other) => isRefresh(other) && other.action?.session === action?.session),
    ),
  'no refresh token twice, but after a lost answer': noRefreshTokenTwice,
  'no code twice': noCodeTwice,
  'no state twice': noStateTwice,
  'a session that has ended stays ended': endedStaysEnded,
  'a session ends for one of the reasons': endsForAReason,
  'an answer is of its own organization': ownOrganizationOnly,
  'nothing is sent that is known to be over': nothingWhileOver,
  'one try a minute while the month is used up': oneTryAMinute,
  'a pause is no longer than its limit': pausesEnd,
  'one probe after a reset': oneProbe,
  'the month is between low and high': ({ months }) =>
    firstOf(months, ({ at, low, high, truth }) =>
      truth < low || truth > high ? `${at}: ${truth} is not in ${low} to ${high}` : undefined,
    ),
  'the month is no wider than what is unknown': ({ months }) =>
    firstOf(months, ({ at, low, high, unknown }) =>
      high - low > unknown ? `${at}: ${low} to ${high}, though only ${unknown} are unknown` : undefined,
    ),
  'with a reading, the month of the organization is between low and high': ({ months }) =>
    firstOf(months, ({ at, organization: { low, high, truth } = { low: 0, high: 0, truth: 0 } }) =>
      truth < low || truth > high ? `${at}: ${truth} is not in ${low} to ${high}` : undefined,
    ),
  'a refusal over the month is shown until it ends': suspicionShown,
  'what is learnt of the service is so': ({ learnt }) =>
    firstOf(learnt, ({ at, name, value, isTrue }) =>
      isTrue ? undefined : `${at}: ${name} is taken for ${value}`,
    ),
  'a press costs what its button said': ({ prices }) =>
    firstOf(prices, ({ at, said: { low, high }, cost, isOk, isForeseeable, isExplained }) => {
      if (!isForeseeable)
        return isOk && !isExplained ? `${at}: it cost ${cost}, and nothing says why` : undefined
      // A press that failed may cost less than its button said.
      return cost > high || (isOk && cost < low)
        ? `${at}: said ${low} to ${high}, and cost ${cost}`
        : undefined
    }),
  'a sign-in that is not proven changes no figures': ({ figures }) =>
    firstOf(figures, ({ at, before, after }) =>
      before === after ? undefined : `${at}: ${before}, then ${after}`,
    ),
  'the service counts no request that is not recorded': nothingUnseen,
  'every failure is one of the table': closedTable,
  'every ending has a reason': ({ faults }) => faults[0],
  'the service has nothing more to say against the client': ({ verdicts }) => verdicts[0],
} satisfies Record<string, Invariant>

export type InvariantName = keyof typeof INVARIANTS

/** Every invariant that is violated, as `invariant: first violation`. */
export function violationsOf(recording: Recording): string[] {
  const found = Object.entries<Invariant>(INVARIANTS).flatMap(([name, rule]) => {
    const what = rule(recording)
    return what === undefined ? [] : [`${name}: ${what}`]
  })
  // These repeat in their own words what another rule has found.
  const echoes = found.filter((one) => ECHOES.some((name) => one.startsWith(name)))
  return echoes.length < found.length ? found.filter((one) => !echoes.includes(one)) : echoes.slice(0, 1)
}

const ECHOES: readonly InvariantName[] = [
  'every request is recorded before it is sent',
  'the service has nothing more to say against the client',
]

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
  `request ${number}, ${method} ${path}, in ${action ? `${action.what}, action ${action.number}` : 'no action'}`

const atAction = ({ what, number }: Action): string => `${what}, action ${number}`

function groupBy<Of, Key>(all: Iterable<Of>, keyOf: (one: Of) => Key): Map<Key, Of[]> {
  const groups = new Map<Key, Of[]>()
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one])
  return groups
}

const byAction = (calls: readonly Call[]): Call[][] => [
  ...groupBy(calls, ({ action, number }) => action?.number ?? -number).values(),
]

const SPECIFIED = /^(POST \/oauth2\/token|GET \/organizations(\/[1-9]\d*)?|GET \/rate_limit)$/

function noSecretLeaves({ replies, log, secrets }: Recording): Violation {
  const seen = [...new Set(replies.flatMap(({ text, headers }) => [text, headers]))].join('\n')
  const logged = JSON.stringify(log)
  return firstOf(secrets, (secret) => {
    if (seen.includes(secret)) return 'a secret is in an answer to the browser'
    return logged.includes(secret) ? 'a secret is in the log' : undefined
  })
}

/** A read is sent again only with a fresh token, after a refusal as expired; 429 has a rule of its own. */
function onePressOneRequest({ calls }: Recording): Violation {
  return firstOf(byAction(calls), (group) => {
    const [one, second, ...more] = group.filter(isRead)
    if (one?.action === undefined || second === undefined || one.answer?.status === 429) return undefined
    const isRenewed =
      credentialOf(one) !== credentialOf(second) && [401, 403, 440].includes(one.answer?.status ?? 0)
    return isRenewed && more.length === 0 ? undefined : atCall(second)
  })
}

/** It may be sent again after any answer but tokens and `invalid_grant`, while its answers leave it valid. */
function noRefreshTokenTwice({ calls, ended }: Recording): Violation {
  const before = new Map<string, Call>()
  return first(calls.filter(isRefresh), (call) => {
    // Other rules check what an ended session sends, and what is sent at the same time.
    if (isAfterEnd(call.action, ended)) return false
    const token = call.parameters.get('refresh_token') ?? ''
    const earlier = before.get(token)
    before.set(token, call)
    if (earlier === undefined || call.alongside.includes(earlier)) return false
    const { answer } = earlier
    // An answer that is not JSON is as good as lost (tokstatus).
    const isOpen = answer === undefined || parse(answer.text) === undefined || !isEnd(answer)
    if (earlier.action?.number !== call.action?.number && isOpen) return false
    const isLeft = answer !== undefined && answer.status < 300 && answer.text.includes('access_token')
    const replaced = /"?refresh_token"?\s*[:=]\s*"?([^"&]+)/.exec(answer?.text ?? '')?.[1] ?? token
    return !isLeft || replaced !== token
  })
}

/** Tokens, or the error that ends a grant (RFC 6749 5.2). */
const isEnd = ({ status, text }: NonNullable<Call['answer']>): boolean =>
  status !== 429 && status < 500 && (text.includes('access_token') || text.includes('invalid_grant'))

function noCodeTwice({ calls }: Recording): Violation {
  const senders = new Map<string, Call>()
  return first(calls, (call) => {
    const code = call.parameters.get('code')
    if (code === undefined) return false
    const earlier = senders.get(code)
    senders.set(code, earlier ?? call)
    // A second use of a whole callback is a second use of its state.
    return earlier !== undefined && earlier.action === call.action
  })
}

/** Among sign-ins with one state, only the first reaches the service. */
function noStateTwice({ calls }: Recording): Violation {
  const actions = new Map<string, Action>()
  return first(calls, ({ action }) => {
    if (action?.state === undefined) return false
    const earlier = actions.get(action.state)
    actions.set(action.state, earlier ?? action)
    return earlier !== undefined && earlier !== action
  })
}

const isAfterEnd = (action: Action | undefined, ended: Recording['ended']): boolean =>
  action?.session !== undefined && action.number > (ended.get(action.session) ?? Infinity)

/** After a sign-out or `access_withdrawn`, the cookie opens nothing and sends nothing. */
function endedStaysEnded({ calls, replies, ended }: Recording): Violation {
  const isOpened = ({ action: { what }, status, text }: Reply) =>
    what === 'GET /bff/session' ? text.includes('"signed_in":true') : status < 400
  return (
    first(calls, ({ action }) => isAfterEnd(action, ended)) ??
    firstOf(replies, (reply) => {
      const { action } = reply
      const isUse = isAfterEnd(action, ended) && !/^(DELETE|POST) /.test(action.what)
      return isUse && isOpened(reply) ? atAction(action) : undefined
    })
  )
}

const DAY_MS = 86_400_000
const UNPROVEN_LIFETIME_MS = 600_000
/** The store records a session's last use once an hour. */
const IDLE_LIFETIME_MS = CONFIG.sessionIdleDays * DAY_MS - 3_600_000
const LONGEST_LIFETIME_MS = CONFIG.sessionDays * DAY_MS

/**
 * A session may end by a sign-out, another sign-in in its browser, `invalid_grant`, its age, or a refusal
 * before it is proven.
 */
function endsForAReason(recording: Recording): Violation {
  const seen = new Set<string>()
  return firstOf(recording.replies, (reply) => {
    const { action, text } = reply
    const { session = '' } = action
    const isShown =
      action.what === 'GET /bff/session'
        ? text.includes('"signed_in":false')
        : ['access_withdrawn', 'signed_out'].includes(codeOf(text))
    if (session === '' || seen.has(session) || !isShown) return undefined
    seen.add(session)
    const isRight = isEndedOnPurpose(recording, reply, session) || isTooOld(recording, reply, session)
    return isRight ? undefined : `${atAction(action)}: ${codeOf(text) || 'signed out'}`
  })
}

function isEndedOnPurpose({ calls, replies }: Recording, { action, atMs }: Reply, session: string): boolean {
  const isEndedByPerson = ({ action: { number, what, session: of }, status }: Reply) =>
    of === session &&
    number < action.number &&
    (what === 'DELETE /bff/session' || (what === 'POST /bff/session' && status === 201))
  const isEndedByService = (call: Call) =>
    call.action?.session === session &&
    isRefresh(call) &&
    call.answeredAtMs <= atMs &&
    call.answer !== undefined &&
    isEnd(call.answer) &&
    call.answer.text.includes('invalid_grant')
  return replies.some(isEndedByPerson) || calls.some(isEndedByService)
}

function isTooOld(recording: Recording, { action, atMs }: Reply, session: string): boolean {
  const { replies } = recording
  const opened = replies.find(({ headers }) => headers.includes(`=${session};`))
  const uses = replies.filter((one) => one.action.session === session && one.action.number < action.number)
  const openedAtMs = opened?.atMs ?? Number.NaN
  const usedAtMs = uses.findLast((one) => one.action.what === 'GET /bff/session')?.atMs ?? openedAtMs
  const isRefused = uses.some(({ text }) => /(organization_refused|key_rejected)/.test(codeOf(text)))
  return (
    atMs - usedAtMs >= IDLE_LIFETIME_MS ||
    atMs - openedAtMs >= LONGEST_LIFETIME_MS ||
    (!isProven(recording, session, atMs) && (isRefused || atMs - openedAtMs >= UNPROVEN_LIFETIME_MS))
  )
}

/** The names of the two organizations, and the limits of their plans. */
const MARKS = [
  { id: 1001, name: 'Harbour Rope Works', limit: PLANS.standard.read_per_minute },
  { id: 2002, name: 'Meridian Shipping', limit: PLANS.business.read_per_minute },
]

function ownOrganizationOnly({ replies, choices }: Recording): Violation {
  return firstOf(replies, ({ action, status, text }) => {
    if (status >= 400) return undefined
    const isForeign = ({ id, name, limit }: (typeof MARKS)[0]) =>
      !action.organization?.endsWith(idOnWire({ choices }, { id })) &&
      (text.includes(name) ||
        (action.what === 'GET /api/rate_limit' && new RegExp(`"limit":\\s*"?${limit}\\b`).test(text)))
    return MARKS.some(isForeign) ? atAction(action) : undefined
  })
}

/** All clients of the token endpoint, or a session with all of its tokens. */
const limitedBy = (call: Call): string =>
  isToken(call) ? 'token endpoint' : (call.action?.session ?? credentialOf(call))

function nothingWhileOver({ calls, choices }: Recording): Violation {
  const reported = new Map<string, { by: Call; untilMs: number }[]>()
  return first(calls, (call) => {
    const name = limitedBy(call)
    // Requests in flight could not know; another rule finds a 429 that is repeated at once.
    const isKnown = ({ by, untilMs }: { by: Call; untilMs: number }) =>
      call.sentAtMs < untilMs &&
      !call.alongside.includes(by) &&
      !(by.action === call.action && by.answer?.status === 429)
    const known = reported.get(name) ?? []
    const untilMs = overUntil(call, choices)
    if (untilMs !== undefined) reported.set(name, [...known.slice(-3), { by: call, untilMs }])
    return known.some(isKnown)
  })
}

/** A minute, with room for clocks and rounding; the longest pause at the token endpoint; a month, in any zone. */
const LONGEST_PAUSES_MS = { minute: 66_000, token: 3_601_000, month: 33 * DAY_MS }

function pausesEnd({ replies, calls, choices }: Recording): Violation {
  // Actions in which the token endpoint itself says that it waits for the month.
  const byMonth = new Set(
    calls.filter((call) => isToken(call) && call.over === 'month').map(({ action }) => action),
  )
  return firstOf(replies, ({ action, status, text }) => {
    if (status !== 429) return undefined
    const { code, retry_in_ms: ms } = JSON.parse(text) as Partial<ProblemBody>
    const isOfMonth = code === 'month_suspected' || byMonth.has(action)
    const isOfToken = code === 'limit_unknown' && choices.toklimit !== 'not_counted'
    const most = LONGEST_PAUSES_MS[isOfMonth ? 'month' : isOfToken ? 'token' : 'minute']
    const isRight = ms !== undefined && ms >= 0 && ms <= most
    return isRight ? undefined : `${atAction(action)}: ${code} asks to wait for ${ms} ms`
  })
}

/** Less by the rounding of the service's `Date`, from which the client reads the service's clock. */
const NEXT_TRY_MS = { first: 5000 - 1000, later: 60_000 - 1000 }

/** A session that knows the month is used up reads once a minute, until its organization has a success. */
function oneTryAMinute({ calls, replies }: Recording): Violation {
  const codes = new Map(replies.map(({ action, status, text }) => [action, status < 400 ? '' : codeOf(text)]))
  const suspects = new Map<string, { by: Call; isTry: boolean }>()
  return first(calls.filter(isRead), (call) => {
    const { action } = call
    if (action === undefined) return false
    const { session, organization } = action
    if (codes.get(action) === '' && (call.answer?.status ?? 500) < 300) {
      for (const [name, { by }] of suspects)
        if (by.action?.organization === organization) suspects.delete(name)
    }
    const before = suspects.get(session ?? '')
    const isPart = session === undefined || before?.by.action === action
    if (isPart || (before === undefined && codes.get(action) !== 'month_suspected')) return false
    suspects.set(session, { by: call, isTry: before !== undefined })
    if (before === undefined || call.alongside.includes(before.by)) return false
    return call.sentAtMs - before.by.sentAtMs < NEXT_TRY_MS[before.isTry ? 'later' : 'first']
  })
}

/** After a refusal, one request finds out whether the minute is reset; the others wait for its answer. */
function oneProbe({ calls, choices }: Recording): Violation {
  const isOver = new Set<string>()
  const probes = new Set<Call>()
  return first(calls.filter(isRead), (call) => {
    const name = limitedBy(call)
    if (isOver.has(name)) probes.add(call)
    if (overUntil(call, choices) !== undefined) isOver.add(name)
    else if (call.answer !== undefined) isOver.delete(name)
    return call.alongside.some((other) => probes.has(other) && limitedBy(other) === name)
  })
}

/** From the last refusal for the month until a success, or the last instant at which the month may be reset. */
function suspicionShown(recording: Recording): Violation {
  const { replies, calls, choices, learnt } = recording
  const refusedAtMs = new Map<string, number | undefined>()
  const sentBy = groupBy(calls.filter(isRead), ({ action }) => action)
  const zones = [...new Set(learnt.filter(({ name }) => name === 'month_zones').map(({ value }) => value))]
  return firstOf(replies, ({ action, atMs, status, text }) => {
    const { organization = '' } = action
    const since = refusedAtMs.get(organization)
    if (action.kind === 'press' && sentBy.has(action)) {
      if (status === 429 && codeOf(text) === 'month_suspected') refusedAtMs.set(organization, atMs)
      else if (sentBy.get(action)?.some(isGood)) refusedAtMs.set(organization, undefined)
    }
    // A lower reading shows that the month was reset, and perhaps where: either is right until the next press.
    if (action.what === 'POST /bff/readings' && status === 409) refusedAtMs.set(organization, Number.NaN)
    if (action.what !== 'GET /bff/quota' || status !== 200 || !refusedAtMs.has(organization)) return undefined
    if (Number.isNaN(since)) return undefined
    const isShown = (JSON.parse(text) as QuotaSnapshot).month.suspected !== undefined
    const reset = since === undefined ? undefined : lastResetMs(since, choices.skew, zones)
    const isDue = reset !== undefined && atMs < reset.least
    const isOver = reset === undefined || atMs > reset.most
    if (isDue && !isShown && isProven(recording, action.session, atMs))
      return `${atAction(action)}: no suspicion is shown`
    return isOver && isShown ? `${atAction(action)}: a suspicion is shown` : undefined
  })
}

/** The recorder saw each request that the service counted, at the same time and address. */
function nothingUnseen({ counted, calls }: Recording): Violation {
  const keyOf = (atMs: number, what: string) => `${what} at ${new Date(atMs).toISOString()}`
  const sent = groupBy(calls, ({ method, path, sentAtMs }) => keyOf(sentAtMs, `${method} ${path}`))
  return firstOf(
    groupBy(counted, ({ atMs, what }) => keyOf(atMs, what)),
    ([key, all]) => (all.length > (sent.get(key)?.length ?? 0) ? key : undefined),
  )
}

function closedTable({ replies }: Recording): Violation {
  return firstOf(replies, ({ action, status, headers, text }) => {
    if (status < 400 || !/^(GET|POST|DELETE) \/(bff|api)\b/.test(action.what)) return undefined
    const { code = 'unknown' } = parse(text) ?? {}
    const isRight = code !== 'unknown' && PROBLEMS[code] === status
    return isRight && /^content-type\napplication\/problem\+json$/m.test(headers)
      ? undefined
      : `${atAction(action)}: ${status} ${text.slice(0, 60)}`
  })
}

function parse(text: string): Partial<ProblemBody> | undefined {
  try {
    return JSON.parse(text) as Partial<ProblemBody>
  } catch {
    return undefined
  }
}
