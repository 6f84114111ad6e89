/** `/bff/pairing`: the first browser offers a code, and confirms the number that the second one shows. */
import { DAY_MS } from '../../contract/duration.ts'
import { PAIRING_LIFETIME_SECONDS, type PairingOffer } from '../../contract/pairing.ts'
import { Problem } from '../../contract/problem.ts'
import type { Context, Within } from '../core/context.ts'
import { isHeld } from '../core/note.ts'
import { seal } from '../core/sealed-box.ts'
import { NUMBER, readBody } from '../http/bodies.ts'
import { queryParameters } from '../http/input.ts'
import { organizationTopic } from '../session/limit-owner.ts'
import { shareCopies } from '../session/copies.ts'
import { addMember } from '../session/grant.ts'
import {
  changeSession,
  limitOwner,
  type LoadedSession,
  personOf,
  reloadSession,
  storeSession,
} from '../session/record.ts'
import { requireProvenSession } from '../session/use.ts'
import { endOldest, notePaired } from '../session/owner.ts'
import { readState, refreshName } from '../token/refresh-state.ts'
import { REFRESH_DEADLINE_MS } from '../token/token.ts'
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
export async function offerCode(context: Context, request: Request): Promise<Response> {
  queryParameters(request)
  const { id } = await requireProvenSession(context, request)
  const code = newCode()
  await offerPairing(context, pairingName(code), id)
  return Response.json({ code, expires_in: PAIRING_LIFETIME_SECONDS } satisfies PairingOffer, { status: 201 })
}

/**
 * Opens a session for the browser that shows this number. 204. A wrong number ends the pairing.
 * @throws Problem `signed_out`, `not_confirmed`; `not_found` if the code has ended or was used;
 *   `invalid_request` with the fault `code_not_entered` or `number_differs`
 */
export async function confirmNumber(context: Context, request: Request): Promise<Response> {
  queryParameters(request)
  const session = await requireProvenSession(context, request)
  const { code, number } = await readBody(request, NUMBER)
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
  return new Response(null, { status: 204 })
}

async function openPaired(
  context: Context,
  offering: LoadedSession,
  name: string,
  pairing: Pairing & { claim: Claim },
): Promise<void> {
  const session = await context.store.transaction((store) =>
    storePaired({ ...context, store }, offering, name, pairing),
  )
  await endOldest(context, session, offering)
}

async function storePaired(
  inside: Within,
  offering: LoadedSession,
  name: string,
  { endsAtMs, claim: { publicKey, browserId, ...listing } }: Pairing & { claim: Claim },
): Promise<LoadedSession> {
  const { credential, grant, startedAtMs, signedInAtMs = startedAtMs } = offering.record
  const { session, value } = await storeSession(inside, {
    credential,
    proven: true,
    signedInAtMs,
    browserId,
    // Until its browser collects it.
    endsAtMs,
    // All sessions of an API key have one owner.
    ...(grant
      ? { listing, grant, person: personOf(offering) }
      : { listing: { ...listing, owner: offering.owner } }),
  })
  await notePaired(inside, session, endMs(inside, signedInAtMs))
  if (grant) await addMember(inside, grant, session.id, endMs(inside, signedInAtMs))
  else await shareCopies(inside, offering, session)
  const sealed = seal(value, publicKey, name)
  await changePairing(inside, name, {
    // It may have been confirmed at the same time.
    may: (present) => present.sealed === undefined,
    to: (present) => ({ ...present, sealed }),
  })
  return session
}

const endMs = ({ config }: Pick<Context, 'config'>, signedInAtMs: number): number =>
  signedInAtMs + config.sessionDays * DAY_MS

/** Moves the tokens of the session to an entry that other sessions can share. An API key is just copied. */
function withGrant(context: Context, session: LoadedSession): Promise<LoadedSession> | LoadedSession {
  const { grant, credential } = session.record
  if (grant || credential.method === 'api_key') return session
  return context.store.transaction((store) => moveTokens({ ...context, store }, session))
}

/** A refresh that ran at the same time would store its tokens where nobody reads them. */
async function moveTokens(inside: Within, before: LoadedSession): Promise<LoadedSession> {
  await inside.store.lock(organizationTopic(limitOwner(before).organization))
  await inside.store.lock(refreshName(before))
  const session = await reloadSession(inside, before)
  if (session === undefined) throw new Problem('signed_out')
  if (session.record.grant) return session
  const { credential, note } = await readState(inside, session)
  const clockMs = await inside.store.readClock(inside.now())
  if (isHeld(note.lease, clockMs, REFRESH_DEADLINE_MS))
    throw new Problem('refresh_failed', { retryInMs: RETRY_MS })
  const { startedAtMs } = session.record
  const endsAtMs = endMs(inside, startedAtMs)
  // Nobody uses the entry itself, and it ends when its sessions must.
  const entry = { credential, proven: true, startedAtMs, seenAtMs: endsAtMs }
  const { session: holder } = await storeSession(inside, entry)
  await shareCopies(inside, session, holder)
  const grant = { id: holder.id, key: Buffer.from(holder.key).toString('base64url') }
  await addMember(inside, grant, session.id, endsAtMs)
  return changeSession(inside, session, (record) => ({ ...record, grant }))
}
