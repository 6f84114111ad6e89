/** On which addresses the sandbox alone opens. */

/**
 * The sandbox asks for no password and has no TLS, so it opens on this machine only (RFC 6749 1.6).
 * @param isAnyAllowed whether `--any-address` was given
 * @throws Error for an address that others can reach
 */
export function assertSandboxAddress(host: string, isAnyAllowed: boolean): void {
  if (isAnyAllowed || /^(localhost|127\.\d+\.\d+\.\d+|::1)$/i.test(host)) return
  throw new Error(
    'PLIMSOLL_HOST is an address that others can reach. The sandbox asks for no password, so it opens on this machine only; ' +
      'with --any-address it opens there all the same (npm run sandbox -- --any-address).',
  )
}
