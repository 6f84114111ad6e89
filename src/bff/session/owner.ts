/** Lists an owner's sessions, limits their number, and stores why one was ended. */
import { DAY_MS, SECOND_MS } from '../../contract/duration.ts'
import { PAIRING_LIFETIME_SECONDS } from '../../contract/pairing.ts'
import { MAX_OWN_SESSIONS, type SessionEnd } from '../../contract/session.ts'
import type { ListedSession } from '../../store/store.ts'
import type { Context, Within } from '../core/context.ts'
import { fingerprint, randomText } from '../core/encryption.ts'
import { changeNote, type NoteKind, parseNote, readNote } from '../core/note.ts'
import { describe } from '../core/problem.ts'
import { browserName } from '../http/browser-name.ts'
import { cookie, readCookies } from '../http/cookie.ts'
import { type Credential, type OAuthCredential } from './grant.ts'
import { endSession, type Listing, type LoadedSession } from './record.ts'

/** The longest life of a cookie (RFC 6265bis 5.5). */
export const BROWSER_LIFETIME_MS = 400 * DAY_MS
/** 128 random bits in base64url. */
const BROWSER_ID = /^[\w-]{22}$/

interface IdentifiedBrowser {
  /** Derived from the browser's cookie, and not the same as in the owner of an OAuth session. */
  browserId: string
  /** The `Set-Cookie` with a new id, for a browser that has none. */
  browserCookie?: string
}

/** The listing of the browser's OAuth sessions, and its id beside an API key. */
export function browserOf(context: Pick<Context, 'cookies'>, request: Request): Listing & IdentifiedBrowser {
  const { id, ...named } = cookieOfBrowser(context, request)
  return {
    owner: `browser ${fingerprint(id)}`,
    browser: browserName(request.headers),
    browserId: fingerprint(`ledger ${id}`).slice(0, 22),
    ...named,
  }
}

function cookieOfBrowser({ cookies }: Pick<Context, 'cookies'>, request: Request) {
  const known = readCookies(request).get(cookies.browser)
  if (known !== undefined && BROWSER_ID.test(known)) return { id: known }
  const id = randomText(16)
  return { id, browserCookie: cookie(cookies, cookies.browser, id, BROWSER_LIFETIME_MS / SECOND_MS) }
}

/**
 * The service names no person (2.1, 4.4), so the owner of a session is its API key, or for OAuth its browser,
 * which has a random id in a cookie.
 * @returns the listing, for an API key the id of the browser, and the `Set-Cookie` for a browser without one
 */
export function listingFor(
  context: Pick<Context, 'cookies'>,
  request: Request,
  credential: Credential | Pick<OAuthCredential, 'method'>,
): { listing: Listing } & Partial<IdentifiedBrowser> {
  const { owner, browser, browserId, ...named } = browserOf(context, request)
  return credential.method === 'api_key'
    ? { listing: { owner: `key ${credential.name}`, browser }, browserId, ...named }
    : { listing: { owner, browser }, ...named }
}

/** The owner's open sessions, including this one, the newest first. */
export async function sessionsOfOwner(context: Context, session: LoadedSession): Promise<ListedSession[]> {
  const { id, endsAtMs, browser, owner, record, grant } = session
  const listed = await context.store.listSessions(owner, context.now(), grant.id)
  const others = listed.filter((other) => other.id !== id)
  const own = { id, endsAtMs, browser, openedAtMs: record.startedAtMs, seenAtMs: record.seenAtMs }
  return [...others, own].toSorted((a, b) => b.openedAtMs - a.openedAtMs)
}

/** Until its browser collects it, a session that a code has opened ends with the code. */
export const isCollected = ({ openedAtMs, endsAtMs }: ListedSession): boolean =>
  endsAtMs - openedAtMs > PAIRING_LIFETIME_SECONDS * SECOND_MS

const PAIRED: NoteKind<boolean> = { format: 1 }
const pairedNote = ({ id }: { id: string }) => `paired ${id}`

/** Remembers that a code has opened the session. */
export const notePaired = (context: Within, session: { id: string }, endsAtMs: number): Promise<void> =>
  changeNote(context, PAIRED, pairedNote(session), () => true, endsAtMs)

/** The ids of those that a code has opened. */
export async function pairedAmong(
  context: Context,
  sessions: readonly ListedSession[],
): Promise<ReadonlySet<string>> {
  const notes = await context.store.readNotes(sessions.map(pairedNote))
  return new Set(sessions.flatMap((one, nth) => (parseNote(PAIRED, notes[nth]) === true ? [one.id] : [])))
}

/**
 * Ends the oldest sessions above the limit, but first those of pairings that no browser has collected. Never
 * rejects: the next session repeats it.
 * @param offering of a pairing: the session that offered the code. It stays, as the new one does
 */
export async function endOldest(
  context: Context,
  session: LoadedSession,
  offering: Pick<LoadedSession, 'id'> = session,
): Promise<void> {
  const rank = (one: ListedSession): number =>
    one.id === session.id || one.id === offering.id ? 0 : isCollected(one) ? 1 : 2
  try {
    const listed = (await sessionsOfOwner(context, session)).toSorted((a, b) => rank(a) - rank(b))
    for (const one of listed.slice(MAX_OWN_SESSIONS)) await endBecause(context, one, 'too_many')
  } catch (cause) {
    context.log({ level: 'warn', event: 'session_ended', cause: describe(cause) })
  }
}

/** `replaced`: by a sign-in of the same browser, which gets the new cookie. */
type EndReason = SessionEnd | 'replaced'

const REASON: NoteKind<EndReason> = { format: 1 }
const noteOf = (id: string) => `ended ${id}`

/** The reason is stored until the session would have ended by itself, for its browser's next request. */
export async function endBecause(
  context: Context,
  { id, endsAtMs }: Pick<ListedSession, 'id' | 'endsAtMs'>,
  reason: EndReason,
): Promise<void> {
  // Store the reason first: a request in between finds the session, or its end with the reason.
  await changeNote(context, REASON, noteOf(id), () => reason, endsAtMs)
  await endSession(context, { id })
}

/** `undefined` if no reason is stored. */
export const endOfSession = (
  context: Context,
  { id }: Pick<LoadedSession, 'id'>,
): Promise<EndReason | undefined> => readNote(context, REASON, noteOf(id))
