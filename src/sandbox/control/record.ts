/** Writes the request log. An entry begins when a request arrives and is completed when it is answered. */
import { AUTHORIZATION_PATH } from '../../contract/authorize.ts'
import { readCredentials } from '../../contract/credential.ts'
import { RATE_LIMIT_PATH } from '../../contract/rate-limit.ts'
import { TOKEN_PATH } from '../../contract/token.ts'
import { authenticate } from '../api/credential.ts'
import { type Handler, type HandlerContext, OUTSIDE, Refusal, writeCommonHeaders } from '../http/handler.ts'
import { rateHeaders } from '../limits/meter.ts'
import type { Context } from '../state/context.ts'
import { answerWithFault, ConnectionReset, consumeFault, type Operation } from '../state/injected-fault.ts'
import { fingerprint, mask, type RequestLogEntry, write } from '../state/request-log.ts'
import { ownValue, type SandboxState } from '../state/state.ts'
import { REVOCATION_PATH } from '../token/token.ts'
import {
  addVerdicts,
  isSecret,
  judgeContent,
  judgeReceived,
  type ReceivedRequest,
  rememberReported,
} from './verdict.ts'

const LONGEST_SEGMENT = 24

interface Recorder {
  context: () => Context
  wait: (ms: number) => Promise<void>
  changed: () => void
}

/** Answers with the injected fault that is due. Goes around all other handlers. @throws ConnectionReset */
export const recordRequests =
  ({ context, wait, changed }: Recorder): Handler =>
  async (c, next) => {
    const { state, nowMs, apiKeyHeader, derived } = context()
    const isOfApplication = [TOKEN_PATH, REVOCATION_PATH].includes(c.req.path)
    const credentials = isOfApplication ? [] : readCredentials(c.req.raw.headers, apiKeyHeader)
    const url = new URL(c.req.url)
    const secret = secretOf(credentials[0])
    const print = secret && fingerprint(secret)
    const received = { method: c.req.method, url, at_ms: nowMs, credentials, print }
    const entry = beginEntry(state, received, c.req.path)
    const grantId = grantOf(state, secret)
    const fault = consumeFault(state.faults, {
      operation: operationOf(c.req.path),
      credential: entry.credential,
      grantId: grantId && fingerprint(grantId),
    })
    const isFaulty = fault !== undefined && fault.kind !== 'delay'
    const answer = async () => {
      await next()
      completeEntry(state, entry, c, grantId)
      rememberReported(state.reported, c, received, !isFaulty)
      return c.res
    }
    const random = () => derived(`delay ${state.requests}`)
    try {
      if (fault) replaceAnswer(c, await answerWithFault(fault, { answer, wait, random }))
      else await answer()
      await writeOwnHeaders(c, context(), fault?.kind)
      entry.status = c.res.status
    } catch (error) {
      if (error instanceof ConnectionReset && error.partial) entry.status = error.partial.status
      throw error
    } finally {
      if (isFaulty) entry.rule = `fault_${fault.kind}`
      changed()
    }
  }

/** Hono would copy the header fields of the answer before it. */
function replaceAnswer(c: HandlerContext, answer: Response): void {
  if (c.finalized && c.res === answer) return
  c.res = undefined
  c.res = answer
}

/** The service itself sends two of the faults, with the header fields of its other answers (8.4.2, U83). */
async function writeOwnHeaders(c: HandlerContext, context: Context, kind: string | undefined): Promise<void> {
  if (kind !== 'status' && kind !== 'server_error') return
  c.set('context', context)
  const { holder } = authenticate(context, c.req.raw.headers, c.req.path)
  if (holder) c.set('holder', holder)
  const isApi = ['organization', 'organizations', 'rate_limit'].includes(operationOf(c.req.path))
  if (isApi) await rateHeaders(c, async () => {})
  writeCommonHeaders(c)
}

const grantOf = ({ access_tokens }: SandboxState, token: unknown): string | undefined =>
  typeof token === 'string' ? ownValue(access_tokens, token)?.grant_id : undefined

function secretOf(credential: ReceivedRequest['credentials'][number] | undefined): string | undefined {
  if (typeof credential !== 'object') return undefined
  return credential.method === 'oauth' ? credential.accessToken : credential.apiKey
}

const OPERATION_PATHS: Record<string, Operation> = {
  [AUTHORIZATION_PATH]: 'authorize',
  [TOKEN_PATH]: 'token',
  '/organizations': 'organizations',
  [RATE_LIMIT_PATH]: 'rate_limit',
}

const operationOf = (path: string): Operation =>
  ownValue(OPERATION_PATHS, path) ?? (/^\/organizations\/[^/]+$/.test(path) ? 'organization' : 'any')

function beginEntry(state: SandboxState, received: ReceivedRequest, path: string): RequestLogEntry {
  const { method, url, at_ms, credentials, print = '' } = received
  const [credential] = credentials
  state.requests += 1
  const entry: RequestLogEntry = {
    number: state.requests,
    at_ms,
    method: method.slice(0, 20),
    path: maskPath(state, path.startsWith(OUTSIDE) ? url.pathname : path),
    rule: 'unanswered',
    cost: { month: 0 },
    ...(credential && {
      credential: credential === 'malformed' ? credential : `${credential.method} ${print}`,
    }),
    seen: url.search === '' ? {} : { query: mask(url.searchParams, (text) => isSecret(state, text)) },
  }
  addVerdicts(entry, judgeReceived(state, received))
  write(state.request_log, entry)
  return entry
}

/** Nothing in it waits, so the second of two requests with one code or token is recognised. */
function completeEntry(state: SandboxState, entry: RequestLogEntry, c: HandlerContext, sentGrant?: string) {
  const form = c.get('form')
  const refusal = c.error instanceof Refusal ? c.error.code : undefined
  entry.rule = c.get('rule') ?? refusal ?? (c.error ? 'server_error' : 'served')
  entry.cost = c.get('cost') ?? entry.cost
  if (form && form.size > 0) entry.seen.body = mask(form, (text) => isSecret(state, text))
  addVerdicts(entry, judgeContent(state, c))
  nameGrant(state, entry, c, sentGrant ?? grantOf(state, c.get('tokenAnswer')?.['access_token']))
}

function nameGrant(state: SandboxState, entry: RequestLogEntry, c: HandlerContext, grantId?: string): void {
  const grant = ownValue(state.grants, grantId ?? '')
  const organizationId = c.get('holder')?.organization.id ?? grant?.organization_id
  if (organizationId !== undefined) entry.organization_id = organizationId
  if (grantId !== undefined) entry.grant_id = fingerprint(grantId)
}

/** Masks long or secret parts: a client may put a secret there by mistake. */
const maskPath = (state: SandboxState, path: string): string =>
  path
    .split('/')
    .slice(0, 12)
    .map((part) => (part.length > LONGEST_SEGMENT || isSecret(state, part) ? `~${fingerprint(part)}` : part))
    .join('/')
