/** The hosts of our own listeners, and a line in the log for requests to others. */
import { MINUTE_MS } from '../../contract/duration.ts'
import { allowHosts, type Hosts } from '../http/hosts.ts'
import type { Settings } from '../settings/settings.ts'
import { log } from './log.ts'

/** For app and operations port. */
export const hostsOf = ({
  publicUrl,
  allowedHosts,
}: Pick<Settings, 'publicUrl' | 'allowedHosts'>): Hosts => ({
  allows: allowHosts([new URL(publicUrl).hostname, ...allowedHosts]),
  onRefused: logForeignHost,
})

let silentUntilMs = 0

/** At most one line a minute. It does not have the name, which anyone can send. */
export function logForeignHost(): void {
  const nowMs = Date.now()
  if (nowMs < silentUntilMs) return
  silentUntilMs = nowMs + MINUTE_MS
  const cause = 'the Host of a request is neither that of PLIMSOLL_PUBLIC_URL nor in PLIMSOLL_ALLOWED_HOSTS'
  log({ level: 'warn', event: 'foreign_host', status: 421, cause })
}
