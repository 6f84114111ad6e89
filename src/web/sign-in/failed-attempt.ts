/** A failed sign-in: its known cause, also after a reload, and its words. */
import { AUTHORIZATION_ERRORS, type AuthorizationError } from '../../contract/authorize.ts'
import { members, oneOf, type Reader, text as textReader } from '../../contract/json.ts'
import { areRefusedBySafari } from '../../contract/cookie-name.ts'
import { type OrganizationId, parseOrganizationId } from '../../contract/organization.ts'
import { Problem, readProblemCode } from '../../contract/problem.ts'
import { safeReturnTo } from './return-to.ts'
import { text } from '../text/text.ts'

export interface FailedSignIn {
  problem: Problem
  returnTo: string
  /**
   * `answer`: the service's answer is malformed. `cookie`: the cookie of this tab's sign-in is missing. `id`:
   * the service does not know the organization.
   */
  at?: 'answer' | 'cookie' | 'id'
  /** The reason that the service gave. */
  error?: AuthorizationError
  /** The organization that the person asked for. */
  organizationId?: OrganizationId
}

const KEY = 'plimsoll.failed-sign-in'

const readState = members(
  {
    code: readProblemCode,
    returnTo: ((value) => safeReturnTo(value)) satisfies Reader<string>,
  },
  {
    at: oneOf(['answer', 'cookie', 'id']),
    error: oneOf(AUTHORIZATION_ERRORS),
    organizationId: (value) => parseOrganizationId(value),
    supportId: textReader,
  },
)

/** The state of a history entry, which survives a reload. */
export const historyStateOf = ({ problem: { code, supportId }, ...rest }: FailedSignIn): object => ({
  [KEY]: { code, supportId, ...rest },
})

/** From the present history entry, which another version of this page may have written. */
export function failedSignIn(): FailedSignIn | undefined {
  const state = globalThis.history?.state as { [KEY]?: unknown } | null
  if (state?.[KEY] === undefined) return undefined
  try {
    const { code, supportId, ...rest } = readState(state[KEY])
    return { problem: new Problem(code, supportId === undefined ? {} : { supportId }), ...rest }
  } catch {
    return undefined
  }
}

interface Words {
  title: string
  message: string
}

export function failureWords({ problem: { code }, at, error, organizationId }: FailedSignIn): Words {
  const t = text().callback
  if (at === 'answer') return t.malformed
  if (at === 'cookie') return noCookieWords()
  if (at === 'id' && organizationId !== undefined)
    return { ...t.unknownId, title: t.unknownId.title(organizationId) }
  const words = text().problem[code]
  if (code === 'access_denied' && organizationId !== undefined)
    return { ...words, message: t.denied(organizationId) }
  if (code !== 'authorization_failed' || error === undefined) return words
  const { title, message } = isOfService(error) ? t.serviceFailed : t.requestRefused
  // Another tab may have sent an id that nobody knows here.
  const isTyped = error === 'invalid_request' && organizationId === undefined
  return { title, message: isTyped ? text().problem.invalid_organization_id.message : message(error) }
}

const isOfService = (error: AuthorizationError): boolean =>
  error === 'server_error' || error === 'temporarily_unavailable'

function noCookieWords(): Words {
  const { title, message, http } = text().callback.noCookie
  return { title, message: areRefusedBySafari(location.origin) ? http : message }
}
