/** Writes the ledger: one line for each request to the service, opened when it arrives and closed when it is answered. */
import { matchedRoutes } from 'hono/route'
import { RATE_LIMIT_PATH } from '../../contract/rate-limit.ts'
import { AUTHORIZATION_PATH } from '../../contract/authorize.ts'
import { readCredentials } from '../../contract/credential.ts'
import { isJsonObject } from '../../contract/json.ts'
import { TOKEN_PATH } from '../../contract/token.ts'
import { answerWith, ConnectionReset, type Operation, takeFault } from '../state/injected-fault.ts'
import { fingerprint, type RequestLogEntry, mask, write } from '../state/request-log.ts'
import { Refusal } from '../http/problem.tsx'
import { troubleAnswer } from '../http/outage.ts'
import { type Frozen, lookUp, type SandboxState } from '../state/state.ts'
import { type Arrival, isSecret, judgeArrival, judgeContent, rememberReported } from './verdict.ts'
import type { HonoContext } from '../state/context.ts'

const LONGEST_SEGMENT = 24

interface Recorder {
  state: SandboxState
  nowMs: () => number
  wait: (ms: number) => Promise<void>
  /** The path below {base_url}. */
  pathOf: (url: URL) => string
  /** The sandbox itself. @returns the answer, and how it came about */
  answer: (request: Request) => Promise<{ whole: Response; visit: HonoContext }>
}

/** Answers a request, with whatever fault is due, and writes its line. @throws ConnectionReset */
export async function record(recorder: Recorder, request: Request): Promise<Response> {
  const { state, nowMs, wait } = recorder
  const url = new URL(request.url)
  const arrival = { request, url, at_ms: nowMs() }
  const path = recorder.pathOf(url)
  const line = openLine(state, arrival, path)
  const fault = takeFault(state.faults, operationOf(path))
  const isSpoilt = fault !== undefined && fault.kind !== 'delay'
  const answer = async () => {
    const { visit, whole } = await recorder.answer(request)
    const isDelivered = !isSpoilt && !visit.get('dropped')
    await closeLine(state, line, visit, { arrival, answer: whole, isDelivered })
    if (visit.get('dropped')) throw new ConnectionReset()
    return whole
  }
  try {
    const sent = fault
      ? await answerWith(fault, { answer, wait, trouble: () => troubleAnswer(state.choices) })
      : await answer()
    line.status = sent.status
    return sent
  } finally {
    if (isSpoilt) line.rule = `fault_${fault.kind}`
  }
}

const OPERATION_PATHS: Record<string, Operation> = {
  [AUTHORIZATION_PATH]: 'authorize',
  [TOKEN_PATH]: 'token',
  '/organizations': 'organizations',
  [RATE_LIMIT_PATH]: 'rate_limit',
}

const operationOf = (path: string): Operation =>
  lookUp(OPERATION_PATHS, path) ?? (/^\/organizations\/[^/]+$/.test(path) ? 'organization' : 'any')

function openLine(state: SandboxState, arrival: Arrival, path: string): RequestLogEntry {
  const { request, url, at_ms } = arrival
  const [credential] = readCredentials(request.headers)
  state.requests += 1
  const line: RequestLogEntry = {
    number: state.requests,
    at_ms,
    method: request.method.slice(0, 20),
    path: maskPath(state, path),
    rule: 'unanswered',
    cost: { month: 0 },
    ...(credential !== undefined && { credential: maskCredential(credential) }),
    seen: url.search === '' ? {} : { query: mask(url.searchParams) },
  }
  addVerdicts(line, judgeArrival(state, arrival))
  write(state.ledger, line)
  return line
}

async function closeLine(
  state: SandboxState,
  line: RequestLogEntry,
  visit: HonoContext,
  { arrival, answer, isDelivered }: { arrival: Arrival; answer: Response; isDelivered: boolean },
): Promise<void> {
  const form = await formOf(visit)
  const answered = form.size > 0 ? await answer.clone().text() : ''
  // From here nothing waits, so that of two requests with one code or token the second is told apart.
  const code = visit.error instanceof Refusal ? visit.error.code : undefined
  line.rule = visit.get('rule') ?? code ?? (visit.error ? 'server_error' : 'served')
  line.cost = visit.get('cost') ?? line.cost
  if (form.size > 0) line.seen.body = mask(form)
  const grantId = grantIdOf(state, arrival.request, answered)
  const grant = grantId === undefined ? undefined : lookUp(state.grants, grantId)
  const organizationId = visit.get('holder')?.organization.id ?? grant?.organization_id
  if (organizationId !== undefined) line.organization_id = organizationId
  if (grantId !== undefined) line.grant_id = fingerprint(grantId)
  addVerdicts(line, judgeContent(state, visit, { form, isKnown: isKnown(visit, code) }))
  rememberReported(state.reported, visit, { arrival, form, answer, answered, isDelivered })
}

function addVerdicts(line: RequestLogEntry, verdicts: RequestLogEntry['verdicts'] = []): void {
  const all = [...new Set([...(line.verdicts ?? []), ...(line.verdict ? [line.verdict] : []), ...verdicts])]
  if (all[0]) line.verdict = all[0]
  if (all.length > 1) line.verdicts = all
}

/** Whether there is something at the address; an address that a choice switches off is none. */
function isKnown(visit: HonoContext, code: string | undefined): boolean {
  const isRouted = matchedRoutes(visit).some(({ path }) => path !== '/*' && path !== '*')
  const isSwitchedOff =
    code === 'not_found' && !visit.get('page') && !visit.req.path.includes('/organizations/')
  return isRouted && !isSwitchedOff
}

/** The form or the JSON members that were read; empty where nobody read the body. */
async function formOf({ req }: HonoContext): Promise<URLSearchParams> {
  // A promise, whatever its type says.
  const text = await Promise.resolve(req.bodyCache.text ?? '')
  if (!/^\s*\{/.test(text)) return new URLSearchParams(text)
  try {
    const body: unknown = JSON.parse(text)
    return new URLSearchParams(
      isJsonObject(body) ? Object.entries(body).map(([name, value]) => [name, String(value)]) : [],
    )
  } catch {
    return new URLSearchParams()
  }
}

/** Of the access token that was sent, or of the one that was answered. */
function grantIdOf(
  { access_tokens }: Frozen<SandboxState>,
  request: Request,
  answered: string,
): string | undefined {
  const [credential] = readCredentials(request.headers)
  const sent =
    typeof credential === 'object' && credential.method === 'oauth' ? credential.accessToken : undefined
  const token = sent ?? /"access_token":"([^"]+)"/.exec(answered)?.[1]
  return token === undefined ? undefined : lookUp(access_tokens, token)?.grant_id
}

type Presented = ReturnType<typeof readCredentials>[number]

function maskCredential(credential: Presented): string {
  if (credential === 'malformed') return 'malformed'
  return `${credential.method} ${fingerprint(credential.method === 'oauth' ? credential.accessToken : credential.apiKey)}`
}

/** An address can hold what does not belong in it. */
const maskPath = (state: SandboxState, path: string): string =>
  path
    .split('/')
    .slice(0, 12)
    .map((part) => (part.length > LONGEST_SEGMENT || isSecret(state, part) ? `~${fingerprint(part)}` : part))
    .join('/')
