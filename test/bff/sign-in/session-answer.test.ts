import { expect, test } from 'vitest'
import { signedIn, signedOut, signedOutAtStart } from '../../../src/bff/sign-in/session-answer.ts'
import { type Credential, publicIdOf, storeSession } from '../../../src/bff/session/record.ts'
import { changeServiceNote, NO_EVIDENCE } from '../../../src/bff/evidence/note.ts'
import { Problem } from '../../../src/contract/problem.ts'
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
  expect(await signedIn(context, byToken, [byKey])).toEqual({
    signed_in: true,
    ...ofToken,
    ends_in: 30 * 86_400 - 2,
    plan_page: `${context.config.serviceUrl}/plan?organization_id=1001`,
    authorize,
    others: [ofKey],
  })
  expect(await signedOut(context, [byToken, byKey], 'elsewhere')).toEqual({
    signed_in: false,
    ended: 'elsewhere',
    authorize,
    others: [ofToken, ofKey],
  })
  expect(await signedOut({ ...context, config: { ...context.config, pkce: 'S256' } })).toEqual({
    signed_in: false,
    authorize: { ...authorize, code_challenge_method: 'S256' },
  })
})

test('the answer says if an exchange counts, once that is known, for the price of a sign-in (5.3, 8.3)', async () => {
  const { context } = createContext()
  const confirmed = { 'token.code': { counts: true, atMs: 0 } }
  expect(await signedOut(context)).not.toHaveProperty('sign_in_counts')
  await changeServiceNote(context, () => ({ ...NO_EVIDENCE, confirmed }))
  expect(await signedOut(context)).toEqual({ ...signedOutAtStart(context), sign_in_counts: 'yes' })
  const readNotes = () => Promise.reject(new Problem('store_unavailable'))
  const store = Object.create(context.store, { readNotes: { value: readNotes } })
  expect(await signedOut({ ...context, store })).toEqual(signedOutAtStart(context))
})

test('the plan page names the organization, but none for an API key, which tells none (4.4, 8.3)', async () => {
  const { context } = createContext()
  const planPageOf = async (credential: Credential) => {
    const { session } = await storeSession(context, { credential, proven: true, copies: {} })
    return (await signedIn(context, session, [])).plan_page
  }
  const { serviceUrl } = context.config
  expect(await planPageOf(OAUTH)).toBe(`${serviceUrl}/plan?organization_id=1001`)
  expect(await planPageOf(KEY)).toBe(`${serviceUrl}/plan`)
})
