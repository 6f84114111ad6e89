/** Proof of possession of a code (RFC 7636), which the document does not list: read, refused or asked for, as it is chosen (U13). */
import { createHash } from 'node:crypto'
import { isRepeated, valueOf } from '../http/form.ts'
import { Refusal } from '../http/problem.tsx'
import type { Choices } from '../choices/choices.ts'
import type { Frozen, IssuedCode } from '../state/state.ts'

interface ChallengeFault {
  error: 'invalid_request'
  description: string
}
const wrong = (description: string): ChallengeFault => ({ error: 'invalid_request', description })

/** RFC 7636 4.2: S256 gives 32 bytes in base64url. */
const CHALLENGE = /^[A-Za-z0-9\-_]{43}$/
/** RFC 7636 4.1. */
const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/

interface Manner {
  challengeError: (challenge: string | undefined, query: URLSearchParams) => ChallengeFault | undefined
  /** @throws Refusal `invalid_request` or `invalid_grant` */
  assertVerifier: (verifier: string | undefined, challenge: string | undefined) => void
  keepsChallenge: boolean
}

const ENFORCED: Manner = {
  challengeError: (challenge, query) => (challenge === undefined ? undefined : shapeFault(challenge, query)),
  assertVerifier: assertFit,
  keepsChallenge: true,
}

const MANNERS: Record<Choices['pkce'], Manner> = {
  // RFC 6749 3.1, 3.2
  ignored: { challengeError: () => undefined, assertVerifier: () => {}, keepsChallenge: false },
  enforced: ENFORCED,
  rejected: {
    challengeError: (challenge) =>
      challenge === undefined ? undefined : wrong('code_challenge is not known.'),
    assertVerifier: (verifier) => {
      if (verifier !== undefined)
        throw new Refusal('invalid_request', { description: 'code_verifier is not known.' })
    },
    keepsChallenge: false,
  },
  required: {
    ...ENFORCED,
    challengeError: (challenge, query) =>
      challenge === undefined ? wrong('code_challenge is missing.') : shapeFault(challenge, query),
    assertVerifier: (verifier, challenge) => {
      // A code from before it was required has none to fit.
      if (challenge === undefined) throw new Refusal('invalid_grant')
      assertFit(verifier, challenge)
    },
  },
}

/** RFC 7636 4.4.1. */
export const challengeError = (query: URLSearchParams, { pkce }: Choices): ChallengeFault | undefined =>
  MANNERS[pkce].challengeError(valueOf(query, 'code_challenge'), query)

/** The challenge that the code is bound to, where there is one. */
export const challengeOf = (query: URLSearchParams, { pkce }: Choices): string | undefined =>
  MANNERS[pkce].keepsChallenge ? valueOf(query, 'code_challenge') : undefined

/** RFC 7636 4.6. @throws Refusal `invalid_request` or `invalid_grant` */
export const assertVerifier = (
  sent: URLSearchParams,
  { code_challenge }: Frozen<Pick<IssuedCode, 'code_challenge'>>,
  { pkce }: Choices,
): void => MANNERS[pkce].assertVerifier(valueOf(sent, 'code_verifier'), code_challenge)

function shapeFault(challenge: string, query: URLSearchParams): ChallengeFault | undefined {
  if (isRepeated(query, 'code_challenge') || !CHALLENGE.test(challenge))
    return wrong('code_challenge has to be 43 characters of base64url, once.')
  // RFC 7636 4.3: left out it is plain, which RFC 9700 2.1.1 advises against.
  if (valueOf(query, 'code_challenge_method') !== 'S256')
    return wrong('code_challenge_method has to be S256.')
  return undefined
}

function assertFit(verifier: string | undefined, challenge: string | undefined): void {
  // RFC 9700 4.8.2: a verifier where no challenge came is a code that was put in another's place.
  if (verifier === undefined && challenge === undefined) return
  if (verifier === undefined || challenge === undefined) throw new Refusal('invalid_grant')
  if (!VERIFIER.test(verifier))
    throw new Refusal('invalid_request', {
      description: 'code_verifier has to be 43 to 128 unreserved characters.',
    })
  if (createHash('sha256').update(verifier).digest('base64url') !== challenge)
    throw new Refusal('invalid_grant')
}
