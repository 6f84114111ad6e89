import { expect, test } from 'vitest'
import { signedIn, signedOut } from '../../../src/bff/sign-in/session-answer.ts'
import { type Credential, publicIdOf, storeSession } from '../../../src/bff/session/record.ts'
import { createContext } from '../_context.ts'

const TOKENS = { accessToken: 'at', staleAtMs: 0, expiresAtMs: 0 }
const OAUTH = { method: 'oauth', organizationId: '1001', tokens: TOKENS } as Credential
const KEY: Credential = { method: 'api_key', apiKey: 'a-key', name: 'name-of-a-key' }

test('the answer has what a further sign-in needs, and names each other session without its secrets (5.3)', async () => {
  const { context, clock } = createContext()
  const open = async (credential: Credential) =>
    (await storeSession(context, { credential, proven: true, copies: {} })).session
  const [byToken, byKey] = [await open(OAUTH), await open(KEY)]
  clock.ms += 1500
  const authorize = {
    authorization_endpoint: `${context.config.serviceUrl}/oauth2/login`,
    client_id: context.config.clientId,
    redirect_uri: `${context.config.publicUrl}/callback`,
  }
  const ofToken = { id: publicIdOf(byToken), method: 'oauth', organization_id: '1001' }
  const ofKey = { id: publicIdOf(byKey), method: 'api_key' }
  expect(signedIn(context, byToken, [byKey])).toEqual({
    signed_in: true,
    ...ofToken,
    ends_in: 7 * 86_400 - 2,
    authorize,
    others: [ofKey],
  })
  expect(signedOut(context, [byToken, byKey], 'elsewhere')).toEqual({
    signed_in: false,
    ended: 'elsewhere',
    authorize,
    others: [ofToken, ofKey],
  })
  expect(signedOut({ ...context, config: { ...context.config, pkce: 'S256' } })).toEqual({
    signed_in: false,
    authorize: { ...authorize, code_challenge_method: 'S256' },
  })
})
