/** The only file that decides to which address a sign-in may return: only to a path of this page. */
import { CALLBACK_PATH } from '../../contract/authorize.ts'

const BASE = 'https://plimsoll.invalid'
const LONGEST_ADDRESS = 2048

/**
 * The path, query and fragment in `value`; `/` for anything that could lead elsewhere. Browsers take `\` for
 * `/`, drop tabs and line ends, and resolve dots, so the text and its result are checked. They report their
 * own address in ASCII, so nothing else is accepted.
 */
export function safeReturnTo(value: unknown): string {
  if (typeof value !== 'string' || value.length > LONGEST_ADDRESS) return '/'
  if (!/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(value) || !URL.canParse(value, BASE)) return '/'
  const { origin, pathname, search, hash } = new URL(value, BASE)
  const elsewhere = origin !== BASE || pathname.startsWith('//') || pathname === CALLBACK_PATH
  return elsewhere ? '/' : pathname + search + hash
}

/** To come back to after a sign-in. */
export const currentAddress = (): string => safeReturnTo(location.pathname + location.search + location.hash)
