/** Decides who may use the control plane: its pages and local tools, without a credential of the service. */

import { isLoopbackName, parseHost } from '../../contract/host.ts'
import { Refusal } from '../http/problem.tsx'

/** Any other host name may be one that an attacker resolves to this machine (DNS rebinding). */
const isOurs = (host: string): boolean => isLoopbackName(parseHost(host)?.name ?? '')

/** @param apiKeyHeader the service's header for API keys. @returns `undefined` if the request is allowed */
export function denialOf(request: Request, apiKeyHeader: string): Refusal | undefined {
  const { host } = new URL(request.url)
  const { headers, method } = request
  if (![host, headers.get('Host') ?? host].every(isOurs)) return new Refusal('foreign_host')
  if (headers.get('Authorization') !== null || headers.get(apiKeyHeader) !== null)
    return new Refusal('service_credential')
  const isReading = method === 'GET' || method === 'HEAD'
  return isReading ? denyForeignRead(headers) : denyForeignWrite(request)
}

/** Another site may link to a page, but not read or embed it (Fetch Metadata). */
function denyForeignRead(headers: Headers): Refusal | undefined {
  const site = headers.get('Sec-Fetch-Site') ?? 'none'
  const isNavigation =
    headers.get('Sec-Fetch-Mode') === 'navigate' && headers.get('Sec-Fetch-Dest') === 'document'
  return ['same-origin', 'none'].includes(site) || isNavigation ? undefined : new Refusal('forged_request')
}

/** Our pages send no referrer, so the `Origin` of their forms is `null`. */
function denyForeignWrite({ url, headers }: Request): Refusal | undefined {
  const site = headers.get('Sec-Fetch-Site')
  const origin = headers.get('Origin')
  if (site !== null && site !== 'same-origin') return new Refusal('forged_request')
  if (origin === null || origin === new URL(url).origin) return undefined
  return origin === 'null' && site === 'same-origin' ? undefined : new Refusal('forged_request')
}
