/** What the two browsers of a pairing ask for. All of it is free. */
import {
  PAIRING,
  type PairingClaim,
  type PairingOffer,
  parsePairingClaim,
  parsePairingOffer,
} from '../../contract/pairing.ts'
import { requestJson } from '../lib/api.ts'

export const offerCode = async (): Promise<PairingOffer> =>
  parsePairingOffer(await requestJson(PAIRING.offer, { method: 'POST' }))

export async function confirmNumber(code: string, number: string): Promise<void> {
  await requestJson(PAIRING.offer, { method: 'PUT', body: { code, number } })
}

export const claimCode = async (code: string): Promise<PairingClaim> =>
  parsePairingClaim(await requestJson(PAIRING.claim, { method: 'POST', body: { code } }))

/** @returns whether the other browser has confirmed the number, so that this one is signed in */
export async function isOpened(): Promise<boolean> {
  const body = await requestJson(PAIRING.session, { method: 'POST', body: {} })
  return typeof body === 'object' && body !== null && 'signed_in' in body
}
