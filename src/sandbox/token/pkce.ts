/** PKCE (RFC 7636). The document does not mention it; a choice decides what becomes of it (U13). */
import { createHash } from 'node:crypto'
import type { Choices } from '../choices/choices.ts'
import { isRepeated, valueOf } from '../http/form.ts'
import { Refusal } from '../http/handler.ts'
import type { IssuedCode } from '../state/state.ts'

export const invalid = (description: string) => ({ error: 'invalid_request', description })

/** RFC 7636 4.2: S256 gives 32 bytes in base64url. */
const CHALLENGE = /^[A-Za-z0-9\-_]{43}$/
/** RFC 7636 4.1. */
const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/

/** RFC 7636 4.4.1. RFC 6749 3.1 ignores unknown parameters. */
export function challengeError(
  query: URLSearchParams,
  { pkce }: Choices,
): ReturnType<typeof invalid> | undefined {
  const challenge = valueOf(query, 'code_challenge')
  if (challenge === undefined) return pkce === 'required' ? invalid('code_challenge is missing.') : undefined
  if (pkce === 'rejected') return invalid('code_challenge is not supported.')
  if (pkce === 'ignored') return undefined
  if (isRepeated(query, 'code_challenge') || !CHALLENGE.test(challenge))
    return invalid('code_challenge has to be 43 characters of base64url, once.')
  // RFC 7636 4.3: the default is plain, which RFC 9700 2.1.1 advises against.
  return valueOf(query, 'code_challenge_method') === 'S256'
    ? undefined
    : invalid('code_challenge_method has to be S256.')
}

export const usesPkce = ({ pkce }: Choices): boolean => pkce === 'enforced' || pkce === 'required'

export const challengeOf = (query: URLSearchParams, choices: Choices): string | undefined =>
  usesPkce(choices) ? valueOf(query, 'code_challenge') : undefined

/** RFC 7636 4.6. @throws Refusal `invalid_request` or `invalid_grant` */
export function assertVerifier(
  sent: URLSearchParams,
  { code_challenge }: IssuedCode,
  choices: Choices,
): void {
  const { pkce } = choices
  const verifier = valueOf(sent, 'code_verifier')
  if (pkce === 'rejected' && verifier !== undefined)
    throw new Refusal('invalid_request', { description: 'code_verifier is not supported.' })
  // The code was issued before a challenge was required.
  if (pkce === 'required' && code_challenge === undefined) throw new Refusal('invalid_grant')
  if (usesPkce(choices)) assertMatch(verifier, code_challenge)
}

function assertMatch(verifier: string | undefined, challenge: string | undefined): void {
  // RFC 9700 4.8.2: a verifier for a code without a challenge is a sign of a PKCE downgrade.
  if (verifier === undefined && challenge === undefined) return
  if (verifier === undefined || challenge === undefined) throw new Refusal('invalid_grant')
  if (!VERIFIER.test(verifier))
    throw new Refusal('invalid_request', {
      description: 'code_verifier has to be 43 to 128 unreserved characters.',
    })
  if (createHash('sha256').update(verifier).digest('base64url') !== challenge)
    throw new Refusal('invalid_grant')
}
