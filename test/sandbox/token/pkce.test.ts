import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Choices } from '../../../src/sandbox/choices/choices.ts'
import { open } from '../../kit/sandbox.ts'

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const challengeFor = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')
const S256 = { code_challenge: challengeFor(VERIFIER), code_challenge_method: 'S256' }

/** @returns the error word of the redirect; `undefined` if the request goes on */
async function faultOf(pkce: Choices['pkce'], changes: Record<string, string>) {
  const { send, authorizePath, signIn } = open({ choices: { pkce } })
  const answer = await send(authorizePath(changes), { headers: await signIn() })
  return new URL(answer.headers.get('Location') ?? 'http://none').searchParams.get('error') ?? undefined
}

/** @returns the status of an exchange, or the word of its error */
async function exchanged(pkce: Choices['pkce'], changes: Record<string, string>, code_verifier?: string) {
  const { exchange, authorize } = open({ choices: { pkce } })
  const { status, body } = await exchange(await authorize(changes), { code_verifier })
  return body['error'] ?? status
}

test('the example of RFC 7636 B holds', () => {
  expect(S256.code_challenge).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM')
})

describe('pkce: the request for authorization (check 62, U13, RFC 7636 4.3)', () => {
  test.each([
    ['ignored', undefined, undefined, undefined],
    ['enforced', undefined, undefined, 'invalid_request'],
    ['rejected', undefined, 'invalid_request', 'invalid_request'],
    ['required', 'invalid_request', undefined, 'invalid_request'],
  ] as const)(
    '%s: without a challenge %s, with S256 %s, with plain %s',
    async (pkce, without, s256, plain) => {
      expect(await faultOf(pkce, {})).toBe(without)
      expect(await faultOf(pkce, S256)).toBe(s256)
      expect(await faultOf(pkce, { code_challenge: VERIFIER, code_challenge_method: 'plain' })).toBe(plain)
      expect(await faultOf(pkce, { code_challenge: VERIFIER })).toBe(plain)
    },
  )

  test.each(['x'.repeat(42), 'x'.repeat(44), `${'x'.repeat(42)}=`])(
    'enforced: %s is not a challenge',
    async (code_challenge) => {
      expect(await faultOf('enforced', { ...S256, code_challenge })).toBe('invalid_request')
    },
  )
})

describe('pkce: the exchange (check 62, U13, RFC 7636 4.6)', () => {
  test.each([
    ['ignored', 200, 200, 200],
    ['enforced', 200, 'invalid_grant', 'invalid_grant'],
    ['required', 200, 'invalid_grant', 'invalid_grant'],
  ] as const)('%s: the right verifier %s, another %s, none %s', async (pkce, right, another, none) => {
    expect(await exchanged(pkce, S256, VERIFIER)).toBe(right)
    expect(await exchanged(pkce, S256, VERIFIER.replace('d', 'e'))).toBe(another)
    expect(await exchanged(pkce, S256)).toBe(none)
  })

  test.each([
    ['ignored', 200],
    ['enforced', 'invalid_grant'],
    ['rejected', 'invalid_request'],
  ] as const)('%s: a verifier without a challenge %s (RFC 9700 4.8.2)', async (pkce, unasked) => {
    expect(await exchanged(pkce, {}, VERIFIER)).toBe(unasked)
    expect(await exchanged(pkce, {})).toBe(200)
  })

  test.each(['x'.repeat(42), 'x'.repeat(129), `${'x'.repeat(42)}+`])(
    'enforced: the verifier %s is malformed',
    async (verifier) => {
      expect(await exchanged('enforced', { ...S256, code_challenge: challengeFor(verifier) }, verifier)).toBe(
        'invalid_request',
      )
    },
  )

  test.each([43, 128])('enforced: a verifier of %d characters is valid', async (length) => {
    const verifier = '~'.repeat(length)
    expect(await exchanged('enforced', { ...S256, code_challenge: challengeFor(verifier) }, verifier)).toBe(
      200,
    )
  })

  test('required: a code that was issued before it was required is refused', async () => {
    const { authorize, sandbox } = open()
    const code = await authorize()
    const later = open({ state: sandbox.snapshot(), choices: { pkce: 'required' } })
    expect((await later.exchange(code, { code_verifier: VERIFIER })).body.error).toBe('invalid_grant')
  })
})
