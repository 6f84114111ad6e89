/** `/bff/pairing`: the first browser offers a code, and confirms the number that the second one shows. */
import { Answer, type Inbound } from '../../contract/answer.ts'
import { DAY_MS } from '../../contract/duration.ts'
import { PAIRING_LIFETIME_SECONDS, type PairingOffer, parseConfirmRequest } from '../../contract/pairing.ts'
import { Problem } from '../../contract/problem.ts'
import type { Context } from '../core/context.ts'
import { withLease } from '../core/lease.ts'
import { seal } from '../core/sealed-box.ts'
import { queryParameters, readJson } from '../http/input.ts'
import { FORMAT } from '../session/format.ts'
import { addMember } from '../session/grant.ts'
import { changeSession, endSession, type LoadedSession, storeSession } from '../session/record.ts'
import { requireProvenSession } from '../session/use.ts'
import { endOldest, notePaired } from '../session/owner.ts'
import { personOf } from '../session/sender.ts'
import { readState, refreshName } from '../token/refresh-state.ts'
import {
  type Claim,
  changePairing,
  newCode,
  offerPairing,
  type Pairing,
  pairingName,
  readPairing,
} from './pairing.ts'

const RETRY_MS = 1000

/** 201 with a code, which ends the session's code before it. @throws Problem `signed_out`, `not_confirmed` */
export async function offerCode(context: Context, request: Inbound): Promise<Answer> {
  queryParameters(request)
  const { id } = await requireProvenSession(context, request)
  const code = newCode()
  await offerPairing(context, pairingName(code), id)
  return Answer.json({ code, expires_in: PAIRING_LIFETIME_SECONDS } satisfies PairingOffer, 201)
}

/**
 * Opens a session for the browser that shows this number. 204. A wrong number ends the pairing.
 * @throws Problem `signed_out`, `not_confirmed`; `not_found` if the code has ended or was used;
 *   `invalid_request` with the fault `code_not_entered` or `number_differs`
 */
export async function confirmNumber(context: Context, request: Inbound): Promise<Answer> {
  queryParameters(request)
  const session = await requireProvenSession(context, request)
  const { code, number } = parseConfirmRequest(await readJson(request))
  const name = pairingName(code)
  const pairing = await readPairing(context, name)
  const { session: offeredBy, claim, sealed } = pairing
  if (offeredBy !== session.id || sealed !== undefined) throw new Problem('not_found')
  if (claim === undefined) throw new Problem('invalid_request', { fault: 'code_not_entered' })
  if (claim.number !== number) {
    await changePairing(context, name, { to: () => undefined })
    throw new Problem('invalid_request', { fault: 'number_differs' })
  }
  await openPaired(context, await withGrant(context, session), name, { ...pairing, claim })
  return Answer.noContent()
}

async function openPaired(
  context: Context,
  offering: LoadedSession,
  name: string,
  { endsAtMs, claim: { publicKey, browserId, ...listing } }: Pairing & { claim: Claim },
): Promise<void> {
  const { credential, copies, grant, startedAtMs, signedInAtMs = startedAtMs } = offering.record
  const { session, value } = await storeSession(context, {
    credential,
    proven: true,
    copies,
    signedInAtMs,
    browserId,
    // Until its browser collects it.
    endsAtMs,
    // All sessions of an API key have one owner.
    ...(grant
      ? { listing, grant, person: personOf(offering) }
      : { listing: { ...listing, owner: offering.owner } }),
  })
  try {
    await notePaired(context, session, endMs(context, signedInAtMs))
    if (grant) await addMember(context, grant, session.id, endMs(context, signedInAtMs))
    const sealed = seal(value, publicKey, name)
    await changePairing(context, name, {
      // It may have been confirmed at the same time.
      may: (pairing) => pairing.sealed === undefined,
      to: (pairing) => ({ ...pairing, sealed }),
    })
  } catch (error) {
    await endSession(context, session)
    throw error
  }
  await endOldest(context, session, offering)
}

const endMs = ({ config }: Context, signedInAtMs: number): number =>
  signedInAtMs + config.sessionDays * DAY_MS

/** Moves the tokens of the session to an entry that other sessions can share. An API key is copied instead. */
async function withGrant(context: Context, session: LoadedSession): Promise<LoadedSession> {
  const { grant, credential } = session.record
  if (grant || credential.method === 'api_key') return session
  // A refresh that ran at the same time would store its tokens where nobody reads them.
  const shared = await withLease(context, refreshName(session), () => moveTokens(context, session))
  if (shared === undefined) throw new Problem('refresh_failed', { retryInMs: RETRY_MS })
  return shared
}

async function moveTokens(context: Context, before: LoadedSession): Promise<LoadedSession> {
  const { session, credential, note } = await readState(context, before)
  if (note.mark) throw new Problem('refresh_failed', { retryInMs: RETRY_MS })
  const { grant: existing, startedAtMs } = session.record
  if (existing) return session
  const endsAtMs = endMs(context, startedAtMs)
  // Nobody uses the entry itself, and it ends when its sessions must.
  const entry = { credential, proven: true, copies: {}, startedAtMs, seenAtMs: endsAtMs }
  const { session: holder } = await storeSession(context, entry)
  const grant = { id: holder.id, key: Buffer.from(holder.key).toString('base64url') }
  await addMember(context, grant, session.id, endsAtMs)
  return changeSession(context, session, (record) => ({ ...record, format: FORMAT, grant }))
}
