import { hostNameOf, isLoopbackName } from '../../contract/host.ts'
import { allowHosts, type Hosts } from '../http/hosts.ts'
import { isLoopback } from '../settings/values.ts'

/**
 * The sandbox has no passwords and no TLS, so it opens on this machine only (RFC 6749 1.6).
 * @param isAnyAllowed whether `--any-address` was given
 * @throws Error for an address that others can reach
 */
export function assertSandboxAddress(host: string, isAnyAllowed: boolean): void {
  if (isAnyAllowed || isLoopbackName(hostNameOf(host) ?? '')) return
  throw new Error(
    'PLIMSOLL_HOST is an address that others can reach. The sandbox asks for no password, so it opens ' +
      'on this machine only; with --any-address it opens there all the same ' +
      '(npm run sandbox -- --any-address).',
  )
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
  const isEverywhere = listensOn === '0.0.0.0' || hostNameOf(listensOn) === '[::]'
  return (host, localAddress = '') =>
    allows(host) || (isEverywhere && host.name === hostNameOf(localAddress.replace(/^::ffff:/, '')))
}
