/** A browser's record: its sessions, one for each organization, sealed by the key in its one cookie. */
import { DAY_MS, SECOND_MS } from '../../contract/duration.ts'
import { LOGIN_LIFETIME_SECONDS, MOST_ORGANIZATIONS } from '../../contract/session.ts'
import type { Tables } from '../../store/store.ts'
import { bestEffort, briefly, type Context, untilStored, type Within } from '../core/context.ts'
import { decrypt, encrypt, fingerprint } from '../core/encryption.ts'
import { changeNote, type NoteKind, readNote } from '../core/note.ts'
import { cookie, expiredCookie, readCookies } from '../http/cookie.ts'
import { organizationOf } from './grant.ts'
import { endBecause } from './owner.ts'
import {
  type LoadedSession,
  loadSession,
  type NamedSession,
  nameSecret,
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

/** For this long a finished sign-in leaves its sessions to the other sign-ins of its browser. */
const ON_THE_WAY_MS = LOGIN_LIFETIME_SECONDS * SECOND_MS

async function writeBrowser(context: Within, secret: string, record: BrowserRecord, keptMs: number) {
  const named = parseSecret(secret)
  await changeNote(context, SEALED, noteOf(named), () => seal(record, named), context.now() + keptMs)
}

/** @param change is pure. A record that has been removed meanwhile stays removed */
const changeBrowser = (
  context: Within,
  browser: NamedSession,
  change: (record: BrowserRecord) => BrowserRecord,
): Promise<void> => {
  const changed = (sealed?: string) => {
    const known = unseal(sealed, browser) as BrowserRecord | undefined
    return known && seal(change(known), browser)
  }
  return changeNote(context, SEALED, noteOf(browser), changed, context.now() + lifeMs(context))
}

/** `unknown` if the cookie opens no record. */
export async function findBrowser(
  context: Within & Pick<Context, 'cookies'>,
  request: Request,
): Promise<Found> {
  const secret = readCookies(request).get(context.cookies.session)
  return secret === undefined ? 'none' : ((await readBrowser(context, secret)) ?? 'unknown')
}

type Found = Browser | 'none' | 'unknown'

/** The open ones, the last used first. */
export async function sessionsOf(context: Within, browser: Found): Promise<LoadedSession[]> {
  const secrets = typeof browser === 'string' ? [] : browser.sessions
  const loaded = await Promise.all(secrets.map((secret) => loadSession(context, parseSecret(secret))))
  return loaded.filter((one) => typeof one !== 'string')
}

/**
 * @returns `none` if none is in use, `unknown` if the cookie opens no record, `ended` if the session has
 *   ended, and `closed` as from `loadSession`: the cookie must stay
 */
export const lookUpSession = async (context: Context, request: Request) =>
  loadInUse(context, await findBrowser(context, request))

export async function loadInUse(
  context: Within,
  browser: Found,
): Promise<LoadedSession | 'none' | 'ended' | Unusable> {
  if (typeof browser === 'string') return browser
  if (browser.inUse === undefined) return 'none'
  const session = await loadSession(context, parseSecret(browser.inUse))
  return session === 'unknown' ? 'ended' : session
}

export async function findSession(context: Context, request: Request): Promise<LoadedSession | undefined> {
  const found = await lookUpSession(context, request)
  return typeof found === 'string' ? undefined : found
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
 * The cookie of another sign-in that has ended comes along while its answer is on the way: its sessions are
 * taken over, so that the later answer's cookie opens both.
 * @param login the name of the cookie of this sign-in
 * @returns the browser's other sessions that stay open
 */
export async function addSession(
  context: Context,
  request: Request,
  { session, secret, login = '' }: { session: LoadedSession; secret: string; login?: string | undefined },
): Promise<LoadedSession[]> {
  const cookies = readCookies(request)
  const logins = [...cookies].filter(([name]) => name.startsWith(context.cookies.login))
  const value = nameSecret().secret
  const add = async (store: Tables) => {
    const inside = { ...context, store }
    for (const name of logins.map(([name]) => name).toSorted()) await store.lock(name)
    const left = await Promise.all(logins.map((one) => readBrowser(inside, secretOf(one))))
    const known = [...left, await findBrowser(inside, request)]
    const before = new Set(known.flatMap((one) => (typeof one === 'object' ? one.sessions : [])))
    before.delete(secret)
    const { staying, ...split } = await splitSessions(inside, session, [...before])
    const record: BrowserRecord = { inUse: secret, sessions: [secret, ...staying] }
    await writeBrowser(inside, value, record, lifeMs(context))
    const own = logins.find(([name]) => name === login)
    if (own) await writeBrowser(inside, secretOf(own), record, ON_THE_WAY_MS)
    return split
  }
  const { others, surplus } = await untilStored(context, () => context.store.transaction(add))
  const { headers, cookies: names } = context
  headers.append('Set-Cookie', cookie(names, names.session, value, lifeMs(context) / SECOND_MS))
  // The sign-in was paid for, and nobody uses these any more.
  const ended = surplus.map(([one, reason]) => untilStored(context, () => endBecause(context, one, reason)))
  await briefly(context, bestEffort(Promise.all(ended)))
  return others
}

/** Only this browser has the value of the cookie of its sign-in. */
const secretOf = ([name, value]: [string, string]): string => `${name}.${fingerprint(value)}`

/**
 * Which sessions may not stay beside a new one: that of the same organization, since a sign-in never
 * continues a session, an unproven one, and those after the fourth.
 */
async function splitSessions(context: Within, session: LoadedSession, secrets: readonly string[]) {
  const loaded = await Promise.all(
    secrets.map(async (secret) => ({ secret, one: await loadSession(context, parseSecret(secret)) })),
  )
  const known = loaded.filter(({ one }) => one !== 'unknown')
  const mayStay = known.filter(({ one }) => typeof one === 'string' || mayStayBeside(session, one))
  // One whose time is over stays only where there is room.
  const openFirst = mayStay.toSorted(
    (a, b) => Number(typeof a.one === 'string') - Number(typeof b.one === 'string'),
  )
  const staying = openFirst.slice(0, MOST_ORGANIZATIONS - 1)
  const surplus = known.filter((one) => !staying.includes(one))
  return {
    staying: staying.map(({ secret }) => secret),
    others: staying.flatMap(({ one }) => (typeof one === 'string' ? [] : [one])),
    surplus: surplus.flatMap((known) => {
      const reason: 'too_many' | 'replaced' = mayStay.includes(known) ? 'too_many' : 'replaced'
      return typeof known.one === 'string' ? [] : [[known.one, reason] as const]
    }),
  }
}

const mayStayBeside = (session: LoadedSession, { record }: LoadedSession): boolean =>
  record.proven && organizationOf(record.credential) !== organizationOf(session.record.credential)

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
export async function leaveSession(context: Context, browser: Browser): Promise<void> {
  const { inUse: ended } = browser
  if (browser.sessions.every((one) => one === ended)) forgetBrowser(context)
  await changeBrowser(context, browser, ({ inUse, sessions }) => ({
    inUse: inUse === ended ? undefined : inUse,
    sessions: sessions.filter((one) => one !== ended),
  }))
}

export const forgetBrowser = ({ cookies, headers }: Context): void =>
  headers.append('Set-Cookie', expiredCookie(cookies, cookies.session))

export const removeBrowser = (context: Context, browser: Browser): Promise<void> =>
  changeNote(context, SEALED, noteOf(browser), () => undefined, context.now())
