/** Two browsers that share a session, as the pages do it. */
import { type PairingOffer, PAIRING, type PairingClaim } from '../../../src/contract/pairing.ts'
import type { OwnSessions, SignedIn } from '../../../src/contract/session.ts'
import { addSecrets } from '../../kit/canaries.ts'
import type { Person } from '../../kit/person.ts'
import { withBrowser } from '../_signed-in.ts'

/** One browser that has signed in, and one that has not. */
export async function signedIn(by = 'oauth') {
  const { fixture, browser: first } = withBrowser()
  if (by === 'oauth') await first.signIn()
  else await first.request('POST', '/bff/session', { json: { api_key: fixture.seed.api_keys[0]?.value } })
  fixture.advance(1)
  return { fixture, first, second: fixture.browser() }
}

export const listed = async (browser: Person) =>
  (await browser.request<OwnSessions>('GET', '/bff/sessions')).body.sessions
export const countSessions = async (browser: Person) => (await listed(browser)).length

export async function offer(first: Person): Promise<PairingOffer> {
  const { body } = await first.request<unknown>('POST', PAIRING.offer)
  const made = body as PairingOffer
  addSecrets(made.code)
  return made
}

export const claim = (second: Person, code: string) =>
  second.request<{ code?: string; number?: string }>('POST', PAIRING.claim, { json: { code } })

export const confirm = (first: Person, code: string, number: string) =>
  first.request('PUT', PAIRING.offer, { json: { code, number } })

export const finish = (second: Person) =>
  second.request<SignedIn & { code?: string; number?: string }>('POST', PAIRING.session, { json: {} })

/** Up to the number. */
export async function claimed(first: Person, second: Person): Promise<{ code: string; number: string }> {
  const { code } = await offer(first)
  const { number } = (await claim(second, code)).body as PairingClaim
  return { code, number }
}

/** Up to the confirmation. */
export async function confirmed(first: Person, second: Person): Promise<{ code: string; number: string }> {
  const { code, number } = await claimed(first, second)
  await confirm(first, code, number)
  return { code, number }
}

export async function pair(first: Person, second: Person): Promise<SignedIn> {
  await confirmed(first, second)
  return (await finish(second)).body
}
