/** What holds at every service, whatever it chooses: each rule reads a recording, and names what breaks it. */
import { PROBLEMS, type ProblemBody } from '../../src/contract/problem.ts'
import type { Call, Recording } from './recording.ts'
import { reportedOverUntil } from './reported-limits.ts'

type Invariant = (recording: Recording) => string[]

/** By name, so that a report says which promise was broken. */
export const INVARIANTS = {
  'no secret leaves the bff': noSecretLeaves,
  'never two credentials, never one in an address': oneCredential,
  'nothing but the specified endpoints': onlySpecified,
  'nothing is sent that nobody asked for': onlyAskedFor,
  'one press, one request': onePressOneRequest,
  'a 429 is never repeated': never429Twice,
  'one refresh at a time': oneRefreshAtATime,
  'no refresh token twice, but after a lost answer': noRefreshTokenTwice,
  'no code twice': noCodeTwice,
  'nothing is sent that is known to be over': nothingWhileOver,
  'one probe after a reset': oneProbe,
  'the month is between low and high': monthInBetween,
  'the month counts no more than was asked for': monthWithinBudget,
  'every failure is one of the table': closedTable,
  'the service itself has nothing to say against the client': ({ verdicts }: Recording) => verdicts,
  'the journey goes as it has to': ({ faults }: Recording) => faults,
} satisfies Record<string, Invariant>

/** Every violation, as `invariant: what broke it`. */
export const violationsOf = (recording: Recording): string[] =>
  Object.entries<Invariant>(INVARIANTS).flatMap(([name, invariant]) =>
    [...new Set(invariant(recording))].map((what) => `${name}: ${what}`),
  )

const isToken = ({ path }: Call) => path === '/oauth2/token'
const isApi = (call: Call) => !isToken(call)
const isRefresh = (call: Call) => isToken(call) && call.parameters.get('grant_type') === 'refresh_token'
const credentialOf = ({ authorization, apiKey }: Call) => authorization ?? apiKey ?? ''
const tell = ({ number, method, path, action }: Call) =>
  `call ${number}, ${method} ${path}, in ${action ? `${action.kind} ${action.number}` : 'nobody’s name'}`

function noSecretLeaves({ replies, log, secrets }: Recording): string[] {
  const told = [...new Set(replies.flatMap(({ text, headers }) => [text, headers]))].join('\n')
  const logged = JSON.stringify(log)
  return [...secrets].flatMap((secret) => [
    ...(told.includes(secret) ? ['a secret is in an answer to the browser'] : []),
    ...(logged.includes(secret) ? ['a secret is in the log'] : []),
  ])
}

function oneCredential({ calls, secrets }: Recording): string[] {
  return calls.flatMap((call) => [
    ...(call.authorization !== null && call.apiKey !== null ? [`${tell(call)} has two`] : []),
    ...(isToken(call) && call.authorization !== null && call.parameters.has('client_secret')
      ? [`${tell(call)} authenticates twice`]
      : []),
    ...([...secrets].some((secret) => (call.path + call.query).includes(secret))
      ? [`${tell(call)} has one in its address`]
      : []),
  ])
}

const SPECIFIED = /^(POST \/oauth2\/token|GET \/organizations(\/[1-9]\d*)?|GET \/rate_limit)$/

function onlySpecified({ calls }: Recording): string[] {
  return calls
    .filter(({ method, path, query }) => !SPECIFIED.test(`${method} ${path}`) || query !== '')
    .map(tell)
}

function onlyAskedFor({ calls }: Recording): string[] {
  return calls.filter(({ action }) => action === undefined || action.kind === 'free').map(tell)
}

/** A second one only with a fresh token, when the service had refused the one before it as expired. */
function onePressOneRequest({ calls }: Recording): string[] {
  return [...byAction(calls).values()].flatMap((group) => {
    const [first, second, ...more] = group.filter(isApi)
    if (second === undefined) return []
    const renewed =
      [401, 403, 440].includes(first?.answer?.status ?? 0) &&
      first !== undefined &&
      credentialOf(first) !== credentialOf(second)
    return renewed && more.length === 0 ? [] : [tell(second)]
  })
}

function never429Twice({ calls }: Recording): string[] {
  return [...byAction(calls).values()].flatMap((group) => {
    const refused = group.findIndex(({ answer }) => answer?.status === 429)
    const again = group.slice(refused + 1).find(({ path }) => path === group[refused]?.path)
    return refused === -1 || again === undefined ? [] : [tell(again)]
  })
}

function byAction(calls: readonly Call[]): Map<number, Call[]> {
  const groups = new Map<number, Call[]>()
  for (const call of calls) {
    const number = call.action?.number ?? -call.number
    groups.set(number, [...(groups.get(number) ?? []), call])
  }
  return groups
}

function oneRefreshAtATime({ calls }: Recording): string[] {
  return calls.filter((call) => isRefresh(call) && call.alongside.some(isRefresh)).map(tell)
}

/** Once more after each answer that was lost or said to come later; as often as wanted where the answer left it in force. */
function noRefreshTokenTwice({ calls }: Recording): string[] {
  const before = new Map<string, Call>()
  return calls.filter(isRefresh).flatMap((call) => {
    const token = call.parameters.get('refresh_token') ?? ''
    const earlier = before.get(token)
    before.set(token, call)
    if (earlier === undefined) return []
    const { answer } = earlier
    const isOpen =
      answer === undefined ||
      answer.status === 429 ||
      answer.status >= 500 ||
      earlier.over === 'month' ||
      isAboutApplication(answer)
    const isKept = answer !== undefined && answer.status < 300 && /access_token/.test(answer.text)
    const replaced = /"?refresh_token"?\s*[:=]\s*"?([^"&]+)/.exec(answer?.text ?? '')?.[1]
    const otherAction = earlier.action?.number !== call.action?.number
    if (otherAction && isOpen) return []
    return isKept && (replaced === undefined || replaced === token) ? [] : [tell(call)]
  })
}

/** A refusal of the application says nothing of the token. */
const isAboutApplication = ({ status, text }: NonNullable<Call['answer']>) =>
  /(invalid|unauthorized)_client/.test(text) || (status === 401 && !text.includes('invalid_grant'))

function noCodeTwice({ calls }: Recording): string[] {
  const seen = new Set<string>()
  return calls.flatMap((call) => {
    const code = call.parameters.get('code')
    if (code === undefined) return []
    const isAgain = seen.has(code)
    seen.add(code)
    return isAgain ? [tell(call)] : []
  })
}

function nothingWhileOver({ calls, choices }: Recording): string[] {
  const told = new Map<string, { by: Call; untilMs: number }[]>()
  const found: string[] = []
  for (const call of calls) {
    const name = isToken(call) ? 'token endpoint' : credentialOf(call)
    // What was under way when it was told could not know.
    const known = (told.get(name) ?? []).filter(({ by }) => !call.alongside.includes(by))
    if (known.some(({ untilMs }) => call.sentAtMs < untilMs)) found.push(tell(call))
    const untilMs = reportedOverUntil(call, choices)
    if (untilMs !== undefined) told.set(name, [...(told.get(name) ?? []).slice(-3), { by: call, untilMs }])
  }
  return found
}

/** After a refusal, one request finds out whether the minute has been reset; the others wait for its answer. */
function oneProbe({ calls, choices }: Recording): string[] {
  const isOver = new Set<string>()
  const found: string[] = []
  for (const call of calls.filter(isApi)) {
    const name = credentialOf(call)
    const probes = call.alongside.filter((other) => isApi(other) && credentialOf(other) === name)
    if (isOver.has(name) && probes.length > 0) found.push(tell(call))
    if (reportedOverUntil(call, choices) !== undefined) isOver.add(name)
    else if (probes.length === 0 && call.answer !== undefined) isOver.delete(name)
  }
  return found
}

function monthInBetween({ months }: Recording): string[] {
  return months
    .filter(({ low, high, truth }) => truth < low || truth > high)
    .map(({ at, low, high, truth }) => `${at}: ${truth} is not in ${low} to ${high}`)
}

function monthWithinBudget({ counted, calls, replies }: Recording): string[] {
  const asked = new Set(
    replies.filter(({ action }) => action.kind !== 'free').map(({ action }) => action.number),
  )
  const renewals = [...byAction(calls).values()].filter((group) => group.filter(isApi).length > 1).length
  const tokens = calls.filter(isToken).length
  const most = asked.size + renewals + tokens
  return counted <= most ? [] : [`${counted} were counted, ${most} were asked for`]
}

function closedTable({ replies }: Recording): string[] {
  return replies.flatMap(({ action, status, contentType, text }) => {
    if (status < 400 || !/^(GET|POST|DELETE) \/(bff|api)\b/.test(action.what)) return []
    const { code = '' } = parse(text)
    const isKnown = Object.hasOwn(PROBLEMS, code) && code !== 'unknown'
    const isTold = isKnown && PROBLEMS[code as keyof typeof PROBLEMS].status === status
    return isTold && contentType === 'application/problem+json'
      ? []
      : [`${action.what} answered ${status} ${code || text.slice(0, 60)}`]
  })
}

function parse(text: string): Partial<ProblemBody> {
  try {
    return JSON.parse(text) as Partial<ProblemBody>
  } catch {
    return {}
  }
}
