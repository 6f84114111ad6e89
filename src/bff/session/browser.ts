/** A browser's record: its sessions, one for each organization, sealed by the key in its one cookie. */
import { DAY_MS, SECOND_MS } from '../../contract/duration.ts'
import { LOGIN_LIFETIME_SECONDS, MOST_ORGANIZATIONS } from '../../contract/session.ts'
import type { Context, Within } from '../core/context.ts'
import { decrypt, encrypt, fingerprint } from '../core/encryption.ts'
import { changeNote, type NoteKind, readNote } from '../core/note.ts'
import { cookie, expiredCookie, readCookies } from '../http/cookie.ts'
import { endBecause } from './owner.ts'
import {
  type LoadedSession,
  loadSession,
  type NamedSession,
  nameSecret,
  organizationOf,
  parseSecret,
  type Unusable,
} from './record.ts'

/** Each session by its secret, the last used first. */
interface BrowserRecord {
  /** Absent after it has ended, until the person chooses another one. */
  inUse?: string | undefined
  sessions: string[]
}

export interface Browser extends NamedSession, BrowserRecord {}

const SEALED: NoteKind<string> = { format: 1 }
const noteOf = ({ id }: NamedSession): string => `browser ${id}`

const seal = (value: unknown, { id, key }: NamedSession): string =>
  Buffer.from(encrypt(value, key, id)).toString('base64url')
const unseal = (sealed: string | undefined, { id, key }: NamedSession): unknown =>
  sealed === undefined ? undefined : decrypt(Buffer.from(sealed, 'base64url'), key, id)

async function readBrowser(context: Within, secret: string): Promise<Browser | undefined> {
  const named = parseSecret(secret)
  const record = unseal(await readNote(context, SEALED, noteOf(named)), named) as BrowserRecord | undefined
  return record && { ...named, ...record }
}

const lifeMs = ({ config }: Pick<Context, 'config'>): number => config.sessionDays * DAY_MS

/** @param change is pure; `undefined` removes the record. One that was removed meanwhile stays so */
const changeBrowser = (
  context: Within,
  browser: NamedSession,
  change: (record: BrowserRecord) => BrowserRecord | undefined,
): Promise<void> =>
  changeNote(
    context,
    SEALED,
    noteOf(browser),
    (sealed) => {
      const known = unseal(sealed, browser) as BrowserRecord | undefined
      const changed = known && change(known)
      return changed && seal(changed, browser)
    },
    context.now() + lifeMs(context),
  )

/** `unknown` if the cookie opens no record. */
export async function findBrowser(
  context: Within & Pick<Context, 'cookies'>,
  request: Request,
): Promise<Browser | 'none' | 'unknown'> {
  const secret = readCookies(request).get(context.cookies.session)
  return secret === undefined ? 'none' : ((await readBrowser(context, secret)) ?? 'unknown')
}

/** The open ones, the last used first. */
export async function sessionsOf(context: Within, { sessions }: BrowserRecord): Promise<LoadedSession[]> {
  const loaded = await Promise.all(sessions.map((secret) => loadSession(context, parseSecret(secret))))
  return loaded.filter((one) => typeof one !== 'string')
}

/**
 * @returns `none` if none is in use, `unknown` if the cookie opens no record, `ended` if the session has
 *   ended, and `closed` as from `loadSession`: the cookie must stay
 */
export async function lookUpSession(
  context: Context,
  request: Request,
): Promise<LoadedSession | 'none' | 'ended' | Unusable> {
  const browser = await findBrowser(context, request)
  return typeof browser === 'string' ? browser : loadInUse(context, browser)
}

export async function loadInUse(
  context: Within,
  { inUse }: BrowserRecord,
): Promise<LoadedSession | 'none' | 'ended' | 'closed'> {
  if (inUse === undefined) return 'none'
  const session = await loadSession(context, parseSecret(inUse))
  return session === 'unknown' ? 'ended' : session
}

export async function findSession(context: Context, request: Request): Promise<LoadedSession | undefined> {
  const found = await lookUpSession(context, request)
  return typeof found === 'string' ? undefined : found
}

/** The browser's open sessions besides the one in use. */
export async function otherSessions(
  context: Context,
  request: Request,
  inUse: LoadedSession,
): Promise<LoadedSession[]> {
  const browser = await findBrowser(context, request)
  return typeof browser === 'string' ? [] : without(inUse, await sessionsOf(context, browser))
}

export const without = (session: LoadedSession, all: readonly LoadedSession[]): LoadedSession[] =>
  all.filter(({ id }) => id !== session.id)

/** Counts a cookie that opens no record. @throws Problem `too_many_attempts` */
export const countGuess = ({ limiter, address }: Context): Promise<void> =>
  limiter.take('session_cookie', address)

/**
 * Adds a new session, which is in use from now on, to the sessions of the browser, in a record under a new
 * name and key. The one before it stays as it is: a browser that loses the answer has its other sessions.
 *
 * The cookie of another sign-in that has ended comes along while its answer is on the way: this one joins
 * its record, so that both answers set the same cookie.
 * @param login the name of the cookie of this sign-in
 * @returns the `Set-Cookie`, and the browser's other sessions that stay open
 */
export async function addSession(
  context: Context,
  request: Request,
  { session, secret, login = '' }: { session: LoadedSession; secret: string; login?: string | undefined },
): Promise<{ setCookie: string; others: LoadedSession[] }> {
  const cookies = readCookies(request)
  const logins = [...cookies].filter(([name]) => name.startsWith(context.cookies.login))
  const { value, others, surplus } = await context.store.transaction(async (store) => {
    const inside = { ...context, store }
    for (const name of logins.map(([name]) => name).toSorted()) await store.lock(name)
    const joined = await firstJoined(inside, logins)
    const value = joined ?? nameSecret().secret
    const known = [joined && (await readBrowser(inside, joined)), await findBrowser(inside, request)]
    const before = new Set(known.flatMap((one) => (typeof one === 'object' ? one.sessions : [])))
    before.delete(secret)
    const { staying, ...split } = await splitSessions(inside, session, [...before])
    const named = parseSecret(value)
    const record: BrowserRecord = { inUse: secret, sessions: [secret, ...staying] }
    const endsAtMs = context.now() + lifeMs(context)
    await changeNote(inside, SEALED, noteOf(named), () => seal(record, named), endsAtMs)
    await leaveFor(inside, login, cookies.get(login), value)
    return { value, ...split }
  })
  for (const [one, reason] of surplus) await endBecause(context, one, reason)
  const setCookie = cookie(context.cookies, context.cookies.session, value, lifeMs(context) / SECOND_MS)
  return { setCookie, others }
}

/**
 * What may not stay besides a session: one of the same organization, since a sign-in never continues a
 * session, an unproven one, and those after the fourth.
 */
async function splitSessions(context: Within, session: LoadedSession, secrets: readonly string[]) {
  const staying: string[] = []
  const others: LoadedSession[] = []
  const surplus: [LoadedSession, 'replaced' | 'too_many'][] = []
  for (const secret of secrets) {
    const one = await loadSession(context, parseSecret(secret))
    const isOpen = typeof one !== 'string'
    const isFull = staying.length === MOST_ORGANIZATIONS - 1
    if (isOpen && !mayStayBeside(session, one)) surplus.push([one, 'replaced'])
    else if (isOpen && isFull) surplus.push([one, 'too_many'])
    else if (one !== 'unknown' && !isFull) staying.push(secret)
    if (isOpen && staying.at(-1) === secret) others.push(one)
  }
  return { staying, others, surplus }
}

const mayStayBeside = (session: LoadedSession, { record }: LoadedSession): boolean =>
  record.proven && organizationOf(record.credential) !== organizationOf(session.record.credential)

/** Only this browser has the value of the cookie of its sign-in. */
const boxOf = (name: string, value: string): NamedSession => ({
  id: `signed in ${name}`,
  key: Buffer.from(fingerprint(`signed in ${value}`), 'base64url'),
})

async function leaveFor(
  context: Within,
  login: string,
  value: string | undefined,
  secret: string,
): Promise<void> {
  if (value === undefined) return
  const box = boxOf(login, value)
  await changeNote(
    context,
    SEALED,
    box.id,
    () => seal(secret, box),
    context.now() + LOGIN_LIFETIME_SECONDS * SECOND_MS,
  )
}

async function firstJoined(
  context: Within,
  logins: readonly [string, string][],
): Promise<string | undefined> {
  for (const [name, value] of logins) {
    const box = boxOf(name, value)
    const secret = unseal(await readNote(context, SEALED, box.id), box)
    if (typeof secret === 'string') return secret
  }
  return undefined
}

/** Puts another session into use. An unproven one does not stay beside it. */
export async function changeInUse(context: Context, browser: Browser, session: LoadedSession): Promise<void> {
  const before = await loadInUse(context, browser)
  const isSurplus = typeof before !== 'string' && !before.record.proven && before.id !== session.id
  await changeBrowser(context, browser, ({ sessions }) => {
    const inUse = sessions.find((secret) => parseSecret(secret).id === session.id)
    const rest = sessions.filter((one) => one !== inUse && !(isSurplus && one === browser.inUse))
    return inUse === undefined ? { sessions } : { inUse, sessions: [inUse, ...rest] }
  })
  if (isSurplus) await endBecause(context, before, 'replaced')
}

/** Forgets the session in use, which has ended. */
export async function leaveSession(context: Context, browser: Browser, headers: Headers): Promise<void> {
  const rest = (sessions: readonly string[]) => sessions.filter((one) => one !== browser.inUse)
  if (rest(browser.sessions).length === 0) forgetBrowser(context, headers)
  await changeBrowser(context, browser, ({ inUse, sessions }) =>
    inUse === browser.inUse ? { sessions: rest(sessions) } : { inUse, sessions },
  )
}

export const forgetBrowser = ({ cookies }: Context, headers: Headers): void =>
  headers.append('Set-Cookie', expiredCookie(cookies, cookies.session))

export const removeBrowser = (context: Context, browser: Browser): Promise<void> =>
  changeBrowser(context, browser, () => undefined)
