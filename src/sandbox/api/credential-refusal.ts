/** The answers to a missing, invalid or expired credential, which the document does not show (5.5). */
import { bearerChallenge } from './challenge.ts'
import { linkTo } from '../http/page.tsx'
import { Refusal } from '../http/problem.tsx'
import type { Choices } from '../choices/choices.ts'
import type { HandlerContext } from '../http/handler-context.ts'
import type { Context } from '../state/context.ts'

/** `both`: a request has a key and a token; `elsewhere`: it is valid, but not at this path (`methodpath`). */
export type CredentialProblem = 'missing' | 'both' | 'invalid' | 'expired' | 'elsewhere'

interface CredentialAnswer {
  status: number
  /** The parameters besides the realm; absent if there is no challenge. */
  challenge?: { error?: string }
  word?: string
  location?: string
}

/** U35. RFC 6750 3.1: the challenge has no error word. */
const MISSING_CREDENTIAL: Record<Choices['missingcred'], CredentialAnswer> = {
  challenge_401: { status: 401, challenge: {} },
  bare_401: { status: 401 },
  status_403: { status: 403 },
  status_400: { status: 400 },
  redirect_302: { status: 302, location: 'projects' },
  error_200: { status: 200 },
}

/** U36, RFC 6750 3.1. */
const INVALID_CREDENTIAL: Record<Choices['invalidcred'], CredentialAnswer> = {
  invalid_token_401: { status: 401, challenge: { error: 'invalid_token' } },
  bare_401: { status: 401 },
  status_403: { status: 403 },
  status_404: { status: 404, word: 'not_found' },
}

/** U37, RFC 6750 3.1. Some servers use 440 for a login that timed out. */
const EXPIRED_TOKEN: Record<Choices['expired'], CredentialAnswer> = {
  invalid_token_401: INVALID_CREDENTIAL.invalid_token_401,
  token_expired_401: { status: 401, challenge: { error: 'token_expired' }, word: 'token_expired' },
  status_403: { status: 403 },
  status_440: { status: 440 },
}

const REFUSALS_BY_PROBLEM: Record<
  CredentialProblem,
  (c: HandlerContext, choices: Context['choices']) => Refusal
> = {
  missing: (c, { missingcred }) =>
    new Refusal('missing_credential', refusalOptions(c, MISSING_CREDENTIAL[missingcred])),
  invalid: (c, { invalidcred }) =>
    new Refusal('invalid_token', refusalOptions(c, INVALID_CREDENTIAL[invalidcred])),
  elsewhere: (c, { invalidcred }) =>
    new Refusal('invalid_token', refusalOptions(c, INVALID_CREDENTIAL[invalidcred])),
  expired: (c, { expired }) => new Refusal('invalid_token', refusalOptions(c, EXPIRED_TOKEN[expired])),
  // RFC 6750 2: a request uses one method.
  both: (c) =>
    new Refusal('invalid_request', {
      description: 'Send an access token or an API key, not both.',
      ...refusalOptions(c, { status: 400, challenge: { error: 'invalid_request' } }),
    }),
}

export const credentialRefusal = (c: HandlerContext, why: CredentialProblem): Refusal =>
  REFUSALS_BY_PROBLEM[why](c, c.get('context').choices)

function refusalOptions(c: HandlerContext, { status, challenge, word, location }: CredentialAnswer) {
  const headers: Record<string, string> = {
    ...(challenge !== undefined && bearerChallenge(challenge)),
    ...(location !== undefined && { Location: linkTo(c, location) }),
  }
  return { status, headers, ...(word !== undefined && { word }) }
}
