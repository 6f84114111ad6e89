/** The cookie of a session: its name in the browser, a dot, and the key that decrypts its record. */
import { DAY_MS, SECOND_MS } from '../../contract/duration.ts'
import type { Context } from '../core/context.ts'
import { fingerprint, randomText } from '../core/encryption.ts'
import { cookie } from '../http/cookie.ts'

export interface NamedSession {
  /** Its name in the store. */
  readonly id: string
  readonly key: Uint8Array
}

/** `name` in the browser, `id` in the store. */
export function nameSession(): { name: string; id: string } {
  const name = randomText(16)
  return { name, id: fingerprint(name) }
}

/** The session may have ended. */
export function parseSessionCookie(value: string): NamedSession {
  const dot = value.indexOf('.')
  return { id: fingerprint(value.slice(0, dot)), key: Buffer.from(value.slice(dot + 1), 'base64url') }
}

/** It lives as long as a session can. */
export const sessionCookie = (
  { cookies, config }: Pick<Context, 'cookies' | 'config'>,
  value: string,
  name = cookies.session,
): string => cookie(cookies, name, value, (config.sessionDays * DAY_MS) / SECOND_MS)
