/** The sandbox has no passwords and no TLS, so it opens on this machine only (RFC 6749 1.6). */
import { readFileSync, statSync } from 'node:fs'
import { hostNameOf, isLoopbackName } from '../../contract/host.ts'
import { allowHosts, type Hosts } from '../http/hosts.ts'

export const LOOPBACK = '127.0.0.1'

export const isOwn = (host: string): boolean => isLoopbackName(hostNameOf(host) ?? '')
export const isEverywhere = (host: string): boolean => ['0.0.0.0', '[::]'].includes(hostNameOf(host) ?? '')

/** @param isAnyAllowed by `--any-address` @throws Error for an address that others can reach */
export function assertPrivate(host: string, setting: string, isAnyAllowed = false): void {
  if (isAnyAllowed || isOwn(host)) return
  throw new Error(
    `${setting} is an address that others can reach. The sandbox asks for no password, so it opens there ` +
      'only with --any-address.',
  )
}

/**
 * The control plane shows every secret. If others can reach it, each request has to have a token.
 * @returns the token of the file; `undefined` without a file. @throws Error in one sentence
 */
export function readControlToken(host: string, path: string | undefined): string | undefined {
  if (path === undefined && isOwn(host)) return undefined
  try {
    if (path === undefined) throw new Error('is needed, since others can reach the address of --control-host')
    // Windows has no such rights.
    const isForAll = process.platform !== 'win32' && (statSync(path).mode & 0o007) !== 0
    if (isForAll) throw new Error('names a file that others on this machine can open (chmod 600)')
    const text = readFileSync(path, 'utf8').trim()
    if (/^[\w.~+/-]+=*$/.test(text)) return text
    throw new Error('needs one line with one token of letters, digits and -._~+/')
  } catch (cause) {
    throw new Error(`--control-token-file: ${(cause as Error).message}.`, { cause })
  }
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
