/** Writes the answers of the token endpoint, with tokens or an error (2.1, RFC 6749 5.1 and 5.2). */
import type { JsonObject } from '../../contract/json.ts'
import { TOKEN_ERRORS, type TokenResponse } from '../../contract/token.ts'
import { type Choices, numberIn } from '../choices/choices.ts'
import { FORM_TYPE } from '../http/form.ts'
import { type HandlerContext, Refusal, write, writeJson } from '../http/handler.ts'
import { BASIC_CHALLENGE } from './client-authentication.ts'

const HTML_TYPE = 'text/html; charset=UTF-8'

const without = (name: string, tokens: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(tokens).filter(([known]) => known !== name))

/** U21: the fields of 2.1. */
const TOKEN_FIELDS: Record<Choices['tokenfields'], (tokens: JsonObject, isRefresh: boolean) => JsonObject> = {
  as_documented: (tokens) => tokens,
  expires_in_string: (tokens) => ({ ...tokens, expires_in: String(tokens['expires_in']) }),
  expires_in_missing: (tokens) => without('expires_in', tokens),
  token_type_lowercase: (tokens) => ({ ...tokens, token_type: 'bearer' }),
  extra_fields: (tokens) => ({ ...tokens, created_at: 0, account: { id: 1 }, hint: null }),
  refresh_token_missing_on_refresh: (tokens, isRefresh) =>
    isRefresh ? without('refresh_token', tokens) : tokens,
}

export const hasRefreshToken = ({ tokenfields }: Choices, isRefresh: boolean): boolean =>
  !isRefresh || tokenfields !== 'refresh_token_missing_on_refresh'

const asForm = (body: JsonObject): string =>
  new URLSearchParams(
    Object.entries(body).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString()

export function answerTokens(c: HandlerContext, tokens: TokenResponse, isRefresh: boolean): Response {
  const { tokenfields, tokstatus, scope } = c.get('context').choices
  // U48.
  const scopes = scope === 'none' ? {} : { scope: scope === 'read_only' ? 'read' : 'read write' }
  const body = { ...TOKEN_FIELDS[tokenfields]({ ...tokens }, isRefresh), ...scopes }
  c.set('tokenAnswer', body)
  // U20.
  if (tokstatus === 'form_200') return write(c, 200, asForm(body), { 'Content-Type': FORM_TYPE })
  if (tokstatus === 'html_200') return write(c, 200, JSON.stringify(body), { 'Content-Type': HTML_TYPE })
  return writeJson(c, body, numberIn(tokstatus))
}

const ERROR_PAGE = '<!doctype html><title>Bad Request</title><h1>Bad Request</h1>'

/** U22. The default is that of RFC 6749 5.2. A text is a page for invalid_grant, and empty otherwise. */
function errorBody(tokerr: Choices['tokerr'], word: string, description: string): JsonObject | string {
  if (tokerr === 'message') return { message: description }
  if (tokerr === 'errors_list') return { errors: [{ code: word, message: description }] }
  if (tokerr === 'html_or_empty') return word === 'invalid_grant' ? ERROR_PAGE : ''
  return { error: word, error_description: description }
}

/** RFC 6749 5.2. @throws every other error again */
export function answerTokenError(c: HandlerContext, error: unknown): Response {
  if (!(error instanceof Refusal) || !TOKEN_ERRORS.some((word) => word === error.code)) throw error
  const word = error.word ?? error.code
  c.set('rule', word)
  const { tokerr } = c.get('context').choices
  const status = (tokerr === 'json_400' ? undefined : numberIn(tokerr)) || error.status
  const body = errorBody(tokerr, word, error.description)
  // RFC 9110 15.5.2: a 401 has a challenge.
  const headers: Record<string, string> = status === 401 ? { ...BASIC_CHALLENGE, ...error.headers } : {}
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
  if (typeof body === 'string') return write(c, status, body, { 'Content-Type': HTML_TYPE })
  c.set('tokenAnswer', body)
  return writeJson(c, body, status)
}
