/** Rules on what sessions send, how they use their tokens, how they end, and what they may see. */
import { PROBLEMS, type ProblemBody } from '../../src/contract/problem.ts'
import { PLANS } from '../../src/contract/plan.ts'
import {
  atCall,
  byAction,
  type Call,
  credentialOf,
  type Found,
  isRead,
  isToken,
  type Recording,
} from './recording.ts'

export const isRefresh = (call: Call) =>
  isToken(call) && call.parameters.get('grant_type') === 'refresh_token'

export function onlyAskedFor({ calls }: Recording): Found[] {
  return calls.filter(({ action }) => action === undefined || action.kind === 'free').map(atCall)
}

/** A read is sent again only with a fresh token, after a refusal as expired; 429 has `never429Twice`. */
export function onePressOneRequest({ calls }: Recording): Found[] {
  return byAction(calls).flatMap((group) => {
    const [first, second, ...more] = group.filter(isRead)
    if (first?.action === undefined || second === undefined || first.answer?.status === 429) return []
    const renewed =
      [401, 403, 440].includes(first.answer?.status ?? 0) && credentialOf(first) !== credentialOf(second)
    return renewed && more.length === 0 ? [] : [atCall(second)]
  })
}

export function oneRefreshAtATime({ calls }: Recording): Found[] {
  const isSame = (a: Call, b: Call) => a.action?.session === b.action?.session
  return calls
    .filter(
      (call) => isRefresh(call) && call.alongside.some((other) => isRefresh(other) && isSame(call, other)),
    )
    .map(atCall)
}

/** It may be sent again after any answer but tokens and `invalid_grant`, while its answers leave it valid. */
export function noRefreshTokenTwice({ calls, ended }: Recording): Found[] {
  const before = new Map<string, Call>()
  return calls.filter(isRefresh).flatMap((call) => {
    // Other rules check what an ended session sends, and what is sent at the same time.
    if (isAfterEnd(call.action, ended)) return []
    const token = call.parameters.get('refresh_token') ?? ''
    const earlier = before.get(token)
    before.set(token, call)
    if (earlier === undefined || call.alongside.includes(earlier)) return []
    const { answer } = earlier
    // An answer that is not JSON is as good as lost (tokstatus).
    const isOpen = answer === undefined || !isJson(answer.text) || !isEnd(answer)
    const isLeft = answer !== undefined && answer.status < 300 && /access_token/.test(answer.text)
    const replaced = /"?refresh_token"?\s*[:=]\s*"?([^"&]+)/.exec(answer?.text ?? '')?.[1]
    const otherAction = earlier.action?.number !== call.action?.number
    if (otherAction && isOpen) return []
    return isLeft && (replaced === undefined || replaced === token) ? [] : [atCall(call)]
  })
}

/** Tokens, or the error that ends a grant (RFC 6749 5.2). */
export const isEnd = ({ status, text }: NonNullable<Call['answer']>) =>
  status !== 429 && status < 500 && (text.includes('access_token') || text.includes('invalid_grant'))

export function noCodeTwice({ calls }: Recording): Found[] {
  const first = new Map<string, Call>()
  return calls.flatMap((call) => {
    const code = call.parameters.get('code')
    if (code === undefined) return []
    const earlier = first.get(code)
    if (earlier === undefined) first.set(code, call)
    // A second use of a whole callback is a second use of its state.
    return earlier === undefined || earlier.action !== call.action ? [] : [atCall(call)]
  })
}

/** Among sign-ins with one state, only the first reaches the service. */
export function noStateTwice({ calls }: Recording): Found[] {
  const first = new Map<string, number>()
  return calls.flatMap((call) => {
    const { state, number } = call.action ?? {}
    if (state === undefined || number === undefined) return []
    if (!first.has(state)) first.set(state, number)
    return first.get(state) === number ? [] : [atCall(call)]
  })
}

/** After a sign-out or `access_withdrawn`, the cookie opens nothing and sends nothing. */
export function endedStaysEnded({ calls, replies, ended }: Recording): Found[] {
  const sent = calls.filter(({ action }) => isAfterEnd(action, ended)).map(atCall)
  const opened = replies
    .filter(({ action }) => isAfterEnd(action, ended) && !action.what.startsWith('DELETE'))
    .filter(({ action, status, text }) =>
      action.what === 'GET /bff/session' ? text.includes('"signed_in":true') : status < 400,
    )
    .filter(({ action }) => action.kind !== 'sign_in' && action.what !== 'POST /bff/login')
    .map(({ action }) => ({ what: `${action.what} in action ${action.number}` }))
  return [...sent, ...opened]
}

const isAfterEnd = (action: Call['action'], ended: Recording['ended']): boolean =>
  action?.session !== undefined && action.number > (ended.get(action.session) ?? Number.POSITIVE_INFINITY)

/** The names of the two organizations, and the limits of their plans. */
const MARKS = [
  { name: 'Harbour Rope Works', limit: PLANS.standard.read_per_minute },
  { name: 'Meridian Shipping', limit: PLANS.business.read_per_minute },
]

export function ownOrganizationOnly({ replies }: Recording): Found[] {
  const standard = replies.find(({ action }) => action.organization !== undefined)?.action.organization
  return replies.flatMap(({ action, status, text }) => {
    if (action.organization === undefined || status >= 400) return []
    const other = MARKS[action.organization === standard ? 1 : 0]
    const isForeign =
      text.includes(other?.name ?? '') ||
      (action.what === 'GET /api/rate_limit' && new RegExp(`"limit":\\s*"?${other?.limit}\\b`).test(text))
    return isForeign ? [{ what: `${action.what} in action ${action.number}` }] : []
  })
}

export function closedTable({ replies }: Recording): Found[] {
  return replies.flatMap(({ action, status, contentType, text }) => {
    if (status < 400 || !/^(GET|POST|DELETE) \/(bff|api)\b/.test(action.what)) return []
    const { code = '' } = parse(text)
    const isKnown = Object.hasOwn(PROBLEMS, code) && code !== 'unknown'
    const isRight = isKnown && PROBLEMS[code as keyof typeof PROBLEMS] === status
    return isRight && contentType === 'application/problem+json'
      ? []
      : [{ what: `${action.what} answered ${status} ${code || text.slice(0, 60)}` }]
  })
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function parse(text: string): Partial<ProblemBody> {
  try {
    return JSON.parse(text) as Partial<ProblemBody>
  } catch {
    return {}
  }
}
