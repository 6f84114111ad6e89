/** Rules on why a session may end. */
import { isErrorBody } from '../../src/contract/error-body.ts'
import { type Call, codeOf, type Found, isRead, type Recording, type Reply } from './recording.ts'
import { isEnd, isRefresh } from './rules-session.ts'

const UNPROVEN_LIFETIME_MS = 600_000
/** The store records a session's last use once an hour. */
const IDLE_LIFETIME_MS = 7 * 86_400_000 - 3_600_000
const LONGEST_LIFETIME_MS = 30 * 86_400_000

/**
 * A session may end by a sign-out, another sign-in in its browser, `invalid_grant`, its age, or a refusal
 * before it is proven.
 */
export function endsForAReason(recording: Recording): Found[] {
  const found = new Map<string, Found>()
  for (const reply of recording.replies) {
    const { action, text } = reply
    const { session } = action
    if (session === undefined || found.has(session) || !showsEnd(reply)) continue
    if (!isEndedOnPurpose(recording, reply, session) && !isTooOld(recording, reply, session))
      found.set(session, {
        what: `${action.what} in action ${action.number}: ${codeOf(text) || 'signed out'}`,
      })
  }
  return [...found.values()]
}

const showsEnd = ({ action, text }: Reply): boolean =>
  action.what === 'GET /bff/session'
    ? text.includes('"signed_in":false')
    : ['access_withdrawn', 'signed_out'].includes(codeOf(text))

function isEndedOnPurpose({ calls, replies }: Recording, { action, atMs }: Reply, session: string): boolean {
  const byPerson = replies.some(
    ({ action: { number, what, session: of }, status }) =>
      of === session &&
      number < action.number &&
      (what === 'DELETE /bff/session' || (what === 'POST /bff/session' && status === 201)),
  )
  return (
    byPerson ||
    calls
      .filter((call) => call.action?.session === session && call.answeredAtMs <= atMs && isRefresh(call))
      .some(({ answer }) => answer !== undefined && isEnd(answer) && answer.text.includes('invalid_grant'))
  )
}

function isTooOld({ calls, replies }: Recording, { action, atMs }: Reply, session: string): boolean {
  const opened = replies.find(({ headers }) => headers.includes(`=${session};`))
  const uses = replies.filter(
    ({ action: { session: of, number } }) => of === session && number < action.number,
  )
  const openedAtMs = opened?.atMs ?? Number.NaN
  const usedAtMs = uses.findLast(({ action: { what } }) => what === 'GET /bff/session')?.atMs ?? openedAtMs
  const isProven = calls.some(
    (call) => isRead(call) && call.answeredAtMs <= atMs && isGood(call) && isOf(call, opened, session),
  )
  const isRefused = uses.some(({ text }) => /(organization_refused|key_rejected)/.test(codeOf(text)))
  return (
    atMs - usedAtMs >= IDLE_LIFETIME_MS ||
    atMs - openedAtMs >= LONGEST_LIFETIME_MS ||
    (!isProven && (isRefused || atMs - openedAtMs >= UNPROVEN_LIFETIME_MS))
  )
}

const isOf = ({ action }: Call, opened: Reply | undefined, session: string): boolean =>
  action !== undefined && (action.session === session || action.number === opened?.action.number)

const isGood = ({ answer }: Call): boolean =>
  answer !== undefined && answer.status < 300 && !isErrorBody(answer.text)
