/** The second browser enters the code, shows the number, and gets its session when that is confirmed. */

import { randomInt } from 'node:crypto'
import { PAIRING_LIFETIME_SECONDS, type PairingClaim } from '../../contract/pairing.ts'
import { Problem } from '../../contract/problem.ts'
import type { Context } from '../core/context.ts'
import { createKeyPair, publicKeyOf, unseal } from '../core/encryption.ts'
import { CLAIM, NOTHING, readBody } from '../http/bodies.ts'
import { cookie, expiredCookie, readCookies } from '../http/cookie.ts'
import { addSession, countGuess } from '../session/browser.ts'
import { keepBrowserName } from '../session/browser-names.ts'
import { browserOf } from '../session/owner.ts'
import { changeSession, limitOwner, parseSecret, reloadSession } from '../session/record.ts'
import { signedIn } from '../sign-in/session-answer.ts'
import { changePairing, pairingName, readPairing, secondsLeft } from './pairing.ts'

/**
 * 200 with the number, and a cookie. A code can be claimed once.
 * @throws Problem `not_found`, the same for every code that opens nothing; `invalid_request`,
 *   `too_many_attempts`
 */
export async function claimCode(context: Context, request: Request): Promise<Response> {
  const { code } = await readBody(request, CLAIM)
  const { browserCookie, ...browser } = browserOf(context, request)
  const number = String(randomInt(10, 100))
  const name = pairingName(code)
  const { pairing, privateKey } = await countWrong(context, async () => {
    if ((await readPairing(context, name)).claim) throw new Problem('not_found')
    const { publicKey, privateKey } = createKeyPair()
    const pairing = await changePairing(context, name, {
      may: ({ claim }) => claim === undefined,
      to: (offered) => ({ ...offered, claim: { publicKey, number, ...browser } }),
    })
    return { pairing, privateKey }
  })
  const { cookies } = context
  const value = `${name.split(' ')[1]}.${privateKey}`
  context.headers.append('Set-Cookie', cookie(cookies, cookies.pairing, value, PAIRING_LIFETIME_SECONDS))
  if (browserCookie !== undefined) context.headers.append('Set-Cookie', browserCookie)
  return Response.json({ number, expires_in: secondsLeft(context, pairing) } satisfies PairingClaim)
}

const isNotFound = (error: unknown): boolean => error instanceof Problem && error.code === 'not_found'

/** Counts an attempt before it looks for the code, and gives it back unless the code opens nothing. */
async function countWrong<T>(context: Context, attempt: () => Promise<T>): Promise<T> {
  await countGuess(context)
  let isWrong = false
  try {
    return await attempt()
  } catch (error) {
    isWrong = isNotFound(error)
    throw error
  } finally {
    if (!isWrong) await context.limiter.giveBack('session_cookie', context.address)
  }
}

/** A cookie that opens nothing may be a guess. */
async function refuse(context: Context, error: unknown): Promise<never> {
  if (isNotFound(error)) await countGuess(context)
  throw error
}

/**
 * 201 as `POST /bff/session` once the number is confirmed, and 202 with it until then. A browser that loses
 * the answer gets it again until the code ends. Sends nothing to the service.
 * @throws Problem `not_found` if the pairing has ended; `too_many_attempts`
 */
export async function openPairedSession(context: Context, request: Request): Promise<Response> {
  await readBody(request, NOTHING)
  const [hash = '', privateKey = ''] = (readCookies(request).get(context.cookies.pairing) ?? '').split('.')
  const name = `pairing ${hash}`
  const pairing = await readPairing(context, name).catch((error: unknown) => refuse(context, error))
  const { claim, sealed } = pairing
  if (claim === undefined || publicKeyOf(privateKey) !== claim.publicKey)
    return refuse(context, new Problem('not_found'))
  if (sealed === undefined) {
    const waiting = { number: claim.number, expires_in: secondsLeft(context, pairing) } satisfies PairingClaim
    return Response.json(waiting, { status: 202 })
  }
  const secret = String(unseal(sealed, privateKey, name))
  const stored = await reloadSession(context, parseSecret(secret))
  // The first browser has ended it already.
  if (stored === undefined) throw new Problem('not_found')
  // From now on it no longer ends with the code.
  const opened = await changeSession(context, stored, (record) => ({ ...record, seenAtMs: context.now() }))
  const session = await keepBrowserName(context, opened)
  const others = await addSession(context, request, { session, secret })
  // Last, so that no failure takes the proof from the browser.
  context.headers.append('Set-Cookie', expiredCookie(context.cookies, context.cookies.pairing))
  context.log({ level: 'info', event: 'sign_in', organization: limitOwner(session).organization })
  return Response.json(await signedIn(context, session, others), { status: 201 })
}
