/** Why nobody is signed in: a failed sign-in, which a reload shows again, or a session that has ended. */
import { useLayoutEffect, useState } from 'react'
import type { AuthorizationError } from '../../contract/authorize.ts'
import type { OrganizationId } from '../../contract/organization.ts'
import { Problem, isProblemCode } from '../../contract/problem.ts'
import { MAX_OWN_SESSIONS, SESSION_ENDS, type SessionEnd } from '../../contract/session.ts'
import { Notice } from '../components/notice.tsx'
import { arrival } from '../session/session.ts'
import { text } from '../text/text.ts'
import { type Entry, safeReturnTo } from './entry.ts'
import { fieldOf, KEY_FIELD, ORGANIZATION_FIELD } from './forms.tsx'

export interface FailedSignIn {
  problem: Problem
  returnTo: string
  /** The reason that the service gave. */
  error?: AuthorizationError | undefined
  /** The organization that the person asked for. */
  organizationId?: OrganizationId | undefined
}

const KEY = 'plimsoll.failed-sign-in'

/** The state of a history entry, which survives a reload. */
export const historyStateOf = ({ problem: { code, supportId }, ...rest }: FailedSignIn): object => ({
  [KEY]: { ...rest, code, supportId },
})

/** From the present history entry, which another version of this page may have written. */
export function failedSignIn(): FailedSignIn | undefined {
  // The server, which draws the page too, has no history.
  const state = globalThis.history?.state as {
    [KEY]?: Omit<FailedSignIn, 'problem'> & Partial<Problem>
  } | null
  if (state?.[KEY] === undefined) return undefined
  const { code, supportId, returnTo, error, organizationId } = state[KEY]
  if (!isProblemCode(code)) return undefined
  const problem = new Problem(code, supportId === undefined ? {} : { supportId })
  return { problem, returnTo: safeReturnTo(returnTo), error, organizationId }
}

interface Words {
  title: string
  message: string
}

export function failureWords({ problem: { code }, error, organizationId }: FailedSignIn): Words {
  const t = text().callback
  const words = text().problem[code]
  if (code === 'invalid_request') return t.malformed
  if (code === 'signed_out') return t.interrupted
  if (code === 'access_denied' && organizationId !== undefined)
    return { ...words, message: t.denied(organizationId) }
  if (code !== 'authorization_failed' || error === undefined) return words
  const { title, message } = isOfService(error) ? t.serviceFailed : t.requestRefused
  return { title, message: message(error) }
}

const isOfService = (error: AuthorizationError): boolean =>
  error === 'server_error' || error === 'temporarily_unavailable'

const isNamed = (end: unknown): end is SessionEnd => SESSION_ENDS.includes(end as SessionEnd)

function endWords(end: SessionEnd): Words {
  const { elsewhere, tooMany } = text().signIn.ended
  const message = end === 'elsewhere' ? elsewhere : tooMany(MAX_OWN_SESSIONS)
  return { ...text().problem.signed_out, message }
}

interface Shown {
  problem: Problem
  words: Words
}

/** The reason why the session ended, if the page before this one or the server knows it. */
function endOf(given: SessionEnd | undefined): Shown | undefined {
  const end = given ?? arrival().ended
  if (end === undefined || end === 'done') return undefined
  if (isNamed(end)) return { problem: new Problem('signed_out'), words: endWords(end) }
  return { problem: new Problem(end), words: text().problem[end] }
}

/** What the page says above all ways in. A new attempt replaces what it said before. */
export function useSignInFailure(entry: Entry, ended: SessionEnd | undefined) {
  const [before] = useState(failedSignIn)
  useLayoutEffect(() => {
    if (before) focusField(ORGANIZATION_FIELD)
  }, [before])
  const first = before ? { problem: before.problem, words: failureWords(before) } : endOf(ended)
  const { problem, way } = entry
  const own = problem ? { problem, words: text().problem[problem.code] } : undefined
  const shown = way ? own : first
  const isFocused = way ? problem !== null && fieldOf(problem.code) === undefined : !before
  const below = {
    label: text().signIn.below,
    run: () => focusField(way?.by === 'key' ? KEY_FIELD : ORGANIZATION_FIELD),
  }
  const notice = shown && (
    <Notice
      // Another key makes another notice, which takes the focus.
      key={way ? 'attempt' : 'before'}
      {...shown}
      actions={{ sign_in: below, again: below }}
      focused={isFocused}
    />
  )
  return { before, title: shown?.words.title, notice }
}

/** Also unfolds it. */
function focusField(id: string): void {
  const field = document.getElementById(id)
  field?.closest('details')?.setAttribute('open', '')
  field?.focus()
}
