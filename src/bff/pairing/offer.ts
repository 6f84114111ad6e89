/** `/bff/pairing`: the first browser offers a code, and confirms the number that the second one shows. */
import { DAY_MS } from '../../contract/duration.ts'
import { PAIRING_LIFETIME_SECONDS, type PairingOffer } from '../../contract/pairing.ts'
import { Problem } from '../../contract/problem.ts'
import type { Context, Within } from '../core/context.ts'
import { seal } from '../core/encryption.ts'
import { NUMBER, readBody } from '../http/bodies.ts'
import { endOldest, notePaired } from '../session/owner.ts'
import { changeSession, type LoadedSession, personOf, storeSession } from '../session/record.ts'
import { requireProvenSession } from '../session/use.ts'
import {
  type Claim,
  changePairing,
  newCode,
  offerPairing,
  type Pairing,
  pairingName,
  readPairing,
} from './pairing.ts'

/** 201 with a code, which ends the session's code before it. @throws Problem `signed_out`, `not_confirmed` */
export async function offerCode(context: Context, request: Request): Promise<Response> {
  const { id } = await requireProvenSession(context, request)
  const code = newCode()
  await context.store.transaction((store) => offerPairing({ ...context, store }, pairingName(code), id))
  return Response.json({ code, expires_in: PAIRING_LIFETIME_SECONDS } satisfies PairingOffer, { status: 201 })
}

/**
 * Opens a session for the browser that shows this number. 204, also if it has done so already, because its
 * answer may be lost. A wrong number ends the pairing.
 * @throws Problem `signed_out`, `not_confirmed`; `not_found` if the code has ended or was used;
 *   `invalid_request` with the fault `code_not_entered` or `number_differs`
 */
export async function confirmNumber(context: Context, request: Request): Promise<Response> {
  const session = await requireProvenSession(context, request)
  const { code, number } = await readBody(request, NUMBER)
  const name = pairingName(code)
  const pairing = await readPairing(context, name)
  const { session: offeredBy, claim, sealed } = pairing
  if (offeredBy !== session.id) throw new Problem('not_found')
  if (sealed !== undefined && claim?.number === number) return new Response(null, { status: 204 })
  if (sealed !== undefined) throw new Problem('not_found')
  if (claim === undefined) throw new Problem('invalid_request', { fault: 'code_not_entered' })
  if (claim.number !== number) {
    await changePairing(context, name, { to: () => undefined })
    throw new Problem('invalid_request', { fault: 'number_differs' })
  }
  const opened = await context.store.transaction(async (store) => {
    const inside = { ...context, store }
    await store.lock(name)
    // It may have been confirmed at the same time.
    const { sealed } = await readPairing(inside, name)
    return sealed === undefined ? storePaired(inside, session, name, { ...pairing, claim }) : undefined
  })
  if (opened !== undefined) {
    context.measure({ what: 'session', change: 'opened' })
    await endOldest(context, opened, session)
  }
  return new Response(null, { status: 204 })
}

async function storePaired(
  inside: Within,
  offering: LoadedSession,
  name: string,
  { endsAtMs, claim: { publicKey, browserId, ...listing } }: Pairing & { claim: Claim },
): Promise<LoadedSession> {
  const { grant } = offering
  // If another browser is just ending this session, the write waits for that, and fails.
  await changeSession(inside, offering, (record) => record)
  const { credential, startedAtMs, signedInAtMs = startedAtMs } = offering.record
  const { session, secret } = await storeSession(inside, {
    credential,
    grant,
    proven: true,
    signedInAtMs,
    browserId,
    // Until its browser collects it.
    endsAtMs,
    // All sessions of an API key have one owner.
    ...(credential.method === 'oauth'
      ? { listing, person: personOf(offering) }
      : { listing: { ...listing, owner: offering.owner } }),
  })
  await notePaired(inside, session, signedInAtMs + inside.config.sessionDays * DAY_MS)
  const sealed = seal(secret, publicKey, name)
  await changePairing(inside, name, { to: (present) => ({ ...present, sealed }) })
  return session
}
