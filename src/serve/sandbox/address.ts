import { readFileSync, statSync } from 'node:fs'
import { hostNameOf, isLoopbackName } from '../../contract/host.ts'
import { allowHosts, type Hosts } from '../http/hosts.ts'
import { isLoopback } from '../settings/values.ts'

export const LOOPBACK = '127.0.0.1'

const isOwn = (host: string): boolean => isLoopbackName(hostNameOf(host) ?? '')
export const isEverywhere = (host: string): boolean => ['0.0.0.0', '[::]'].includes(hostNameOf(host) ?? '')

/**
 * The sandbox has no passwords and no TLS, so it opens on this machine only (RFC 6749 1.6).
 * @param isAnyAllowed whether `--any-address` was given
 * @throws Error for an address that others can reach
 */
export function assertSandboxAddress(host: string, isAnyAllowed: boolean): void {
  if (isAnyAllowed || isOwn(host)) return
  throw new Error(
    'PLIMSOLL_HOST is an address that others can reach. The sandbox asks for no password, so it opens ' +
      'on this machine only; with --any-address it opens there all the same ' +
      '(npm run sandbox -- --any-address).',
  )
}

const CONTROL_TOKEN = /^[\w.~+/-]+=*$/

/**
 * The control plane shows every secret. If others can reach it, each request has to have a token.
 * @returns the token of the file; `undefined` without a file. @throws Error in one sentence
 */
export function readControlToken(host: string, path: string | undefined): string | undefined {
  if (path === undefined) {
    if (isOwn(host)) return undefined
    throw new Error(
      '--control-host is an address that others can reach, so --control-token-file has to name ' +
        'a file that has a token.',
    )
  }
  const text = readPrivate(path).trim()
  if (CONTROL_TOKEN.test(text)) return text
  throw new Error(
    `--control-token-file: ${path} needs one line with one token of letters, digits and -._~+/.`,
  )
}

/** Windows has no such permissions. */
function readPrivate(path: string): string {
  let isForAll: boolean
  let text: string
  try {
    isForAll = process.platform !== 'win32' && (statSync(path).mode & 0o007) !== 0
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new Error(`--control-token-file: ${path} cannot be read: ${(cause as Error).message}.`, { cause })
  }
  if (isForAll) throw new Error(`--control-token-file: others on this machine can open ${path} (chmod 600).`)
  return text
}

/** Anyone can sign in as anyone, so others must not reach the app. @throws Error that names the setting */
export function assertNotPublic(publicUrl: string): void {
  if (isLoopback(publicUrl)) return
  throw new Error(
    'PLIMSOLL_PUBLIC_URL is an address that others can reach, and the sandbox asks for no password, ' +
      'so it never opens beside it: ' +
      'leave PLIMSOLL_PUBLIC_URL out, or set it to an address of this machine.',
  )
}

/**
 * Allows the names of this machine, the one it listens on, and the setting's. If it listens on all addresses,
 * a request may name the one that it came to: no name of an attacker is an address.
 */
export function allowSandboxHosts(listensOn: string, allowedHosts: readonly string[]): Hosts['allows'] {
  const allows = allowHosts([listensOn, ...allowedHosts])
  return (host, localAddress = '') =>
    allows(host) ||
    (isEverywhere(listensOn) && host.name === hostNameOf(localAddress.replace(/^::ffff:/, '')))
}
