/** How a request is refused whose credential opens nothing; the document does not show it (5.5). */
import { linkTo } from '../http/page.tsx'
import { Refusal } from '../http/problem.tsx'
import type { Choices } from '../choices/choices.ts'
import type { HonoContext } from '../state/context.ts'

/** `both`: a key and a token; `elsewhere`: valid, but not at this address. */
export type CredentialProblem = 'missing' | 'both' | 'invalid' | 'expired' | 'elsewhere'

interface Look {
  status: number
  /** What follows the scheme in the challenge; absent where there is no challenge. */
  challenge?: string
  word?: string
  leadsTo?: string
}

/** RFC 6750 3: without any credential no error word (U35). */
const MISSING: Record<Choices['missingcred'], Look> = {
  challenge_401: { status: 401, challenge: '' },
  bare_401: { status: 401 },
  status_403: { status: 403 },
  status_400: { status: 400 },
  redirect_302: { status: 302, leadsTo: 'projects' },
  error_200: { status: 200 },
}

/** RFC 6750 3.1 (U36). */
const INVALID: Record<Choices['invalidcred'], Look> = {
  invalid_token_401: { status: 401, challenge: ' error="invalid_token"' },
  bare_401: { status: 401 },
  status_403: { status: 403 },
  status_404: { status: 404, word: 'not_found' },
}

/** RFC 6750 3.1; 440 is what some servers call a login that timed out (U37). */
const EXPIRED: Record<Choices['expired'], Look> = {
  invalid_token_401: INVALID.invalid_token_401,
  token_expired_401: { status: 401, challenge: ' error="token_expired"', word: 'token_expired' },
  status_403: { status: 403 },
  status_440: { status: 440 },
}

const REFUSES: Record<
  CredentialProblem,
  (c: HonoContext, choices: HonoContext['var']['context']['choices']) => Refusal
> = {
  missing: (c, { missingcred }) => new Refusal('missing_credential', dressed(c, MISSING[missingcred])),
  invalid: (c, { invalidcred }) => new Refusal('invalid_token', dressed(c, INVALID[invalidcred])),
  elsewhere: (c, { invalidcred }) => new Refusal('invalid_token', dressed(c, INVALID[invalidcred])),
  expired: (c, { expired }) => new Refusal('invalid_token', dressed(c, EXPIRED[expired])),
  // RFC 6750 2: a request uses one method.
  both: (c) =>
    new Refusal('invalid_request', {
      description: 'Send an access token or an API key, not both.',
      ...dressed(c, { status: 400, challenge: ' error="invalid_request"' }),
    }),
}

export const credentialRefusal = (c: HonoContext, why: CredentialProblem): Refusal =>
  REFUSES[why](c, c.get('context').choices)

function dressed(c: HonoContext, { status, challenge, word, leadsTo }: Look) {
  const headers: Record<string, string> = {
    ...(challenge !== undefined && { 'WWW-Authenticate': `Bearer${challenge}` }),
    ...(leadsTo !== undefined && { Location: linkTo(c, leadsTo) }),
  }
  return { status, headers, ...(word !== undefined && { word }) }
}
