/** `/api`: passes the three reads of section 4 on. From our copy for nothing; from the service only when a person asked for it. */
import { API_PREFIX, SPEND_HEADER, SPENT_HEADER } from '../contract/api.ts'
import { organizationPath, parseOrganizationId } from '../contract/organization.ts'
import { Problem } from '../contract/problem.ts'
import { type Called, callService } from './service-read.ts'
import { noCookie, SESSION_COOKIE } from './cookie.ts'
import { type House, shared } from './context.ts'
import { freshCredential } from './refresh.ts'
import { admit } from './rate-limit-observation.ts'
import { refusalOf } from './session.ts'
import {
  changeSession,
  endSession,
  type OpenSession,
  organizationOf,
  requireSession,
  tokenOf,
} from './session-record.ts'

/** `GET /api/organizations`, `GET /api/organizations/{id}`, `GET /api/rate_limit`. */
export async function passOn(house: House, request: Request, reply: Headers): Promise<Response> {
  const path = servicePath(new URL(request.url).pathname)
  const session = await requireSession(house, request)
  const { credential } = session.record
  // A token is for one organization (5.3): asking it for another one would only cost a request.
  if (
    credential.method === 'oauth' &&
    path.startsWith('/organizations/') &&
    path !== organizationPath(credential.organizationId)
  ) {
    throw new Problem('not_found', { detail: 'This sign-in is for another organization.' })
  }
  reply.set(SPENT_HEADER, '0')
  if (request.headers.get(SPEND_HEADER) !== '1') return fromCopy(house, session, path, reply)

  const name = `call ${session.id} ${path}`
  const leads = !house.memory.flights.has(name)
  const { result, spent, rateHeaders } = await shared(house.memory, name, () => spend(house, session, path))
  if (leads) {
    reply.set(SPENT_HEADER, String(spent))
    for (const [header, value] of rateHeaders) reply.set(header, value)
  } else {
    // Whoever asked while the answer was on its way pays nothing for it.
    reply.set('Age', '0')
  }
  if (!(result instanceof Problem)) return json(result.text)
  if (result.code === 'access_withdrawn') reply.append('Set-Cookie', noCookie(SESSION_COOKIE))
  throw result
}

/** The path below {base_url}: built from the id alone, never taken over from the request. */
function servicePath(pathname: string): string {
  const [resource, id] = pathname.slice(API_PREFIX.length + 1).split('/')
  return id === undefined ? `/${resource}` : organizationPath(parseOrganizationId(id))
}

function fromCopy(house: House, { record }: OpenSession, path: string, reply: Headers): Response {
  const copy = record.copies[path]
  if (copy === undefined) throw new Problem('costs_a_request')
  reply.set('Age', String(Math.max(0, Math.floor((house.now() - copy.atMs) / 1000))))
  return json(copy.text)
}

const json = (text: string) => new Response(text, { headers: { 'Content-Type': 'application/json' } })

async function spend(house: House, session: OpenSession, path: string): Promise<Called> {
  try {
    const known = session.record.credential
    // What will not be sent needs no fresh token.
    const leave = await admit(
      house,
      { token: tokenOf(known), organization: organizationOf(known) },
      'read',
      true,
    )
    leave()
    const credential = await freshCredential(house, session)
    const called = await callService(house, credential, path, {
      initiator: 'person',
      renew: (refused) => freshCredential(house, session, refused),
    })
    await remember(house, session, path, called)
    return called
  } catch (error) {
    if (error instanceof Problem) return { result: error, spent: 0, rateHeaders: [] }
    throw error
  }
}

async function remember(house: House, session: OpenSession, path: string, called: Called): Promise<void> {
  const { result } = called
  if (!(result instanceof Problem)) {
    const copy = { text: result.text, atMs: house.now() }
    try {
      await changeSession(house, session, (record) => ({
        ...record,
        proven: true,
        copies: { ...record.copies, [path]: copy },
      }))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      // The answer was paid for; that no copy of it could be kept is no reason to withhold it. That the session has ended is.
      if (error.code !== 'store_unavailable') called.result = error
    }
    return
  }
  // The proof that the sign-in could not give: the service says no, so the session never was one.
  const no = session.record.proven ? undefined : refusalOf(session.record.credential, result)
  if (no === undefined) return
  await endSession(house, session)
  called.result = no
}
