/** Decides who may use the control plane: its pages and local tools, without a credential of the service. */

import { isLoopbackName, parseHost } from '../../contract/host.ts'

/** The status is 403 unless it has another. */
export interface Denial {
  error: string
  description: string
  status?: number
}

/** Any other host name may be one that an attacker resolves to this machine (DNS rebinding). */
const isOurs = (host: string): boolean => isLoopbackName(parseHost(host)?.name ?? '')

/** @param apiKeyHeader the service's header for API keys. @returns `undefined` if the request is allowed */
export function denialOf(request: Request, apiKeyHeader: string): Denial | undefined {
  const { host } = new URL(request.url)
  const { headers, method } = request
  if (![host, headers.get('Host') ?? host].every(isOurs))
    return { error: 'foreign_host', description: 'The control plane is on this machine only.', status: 421 }
  if (headers.get('Authorization') !== null || headers.get(apiKeyHeader) !== null)
    return {
      error: 'service_credential',
      description: 'The control plane takes no credential of the service.',
    }
  const isReading = method === 'GET' || method === 'HEAD'
  return isReading ? denyForeignRead(headers) : denyForeignWrite(request)
}

/** Another site may link to a page, but not read or embed it (Fetch Metadata). */
function denyForeignRead(headers: Headers): Denial | undefined {
  const site = headers.get('Sec-Fetch-Site') ?? 'none'
  const isNavigation =
    headers.get('Sec-Fetch-Mode') === 'navigate' && headers.get('Sec-Fetch-Dest') === 'document'
  return ['same-origin', 'none'].includes(site) || isNavigation ? undefined : FORGED
}

/** Our pages send no referrer, so the `Origin` of their forms is `null`. */
function denyForeignWrite({ url, headers }: Request): Denial | undefined {
  const site = headers.get('Sec-Fetch-Site')
  const origin = headers.get('Origin')
  if (site !== null && site !== 'same-origin') return FORGED
  if (origin === null || origin === new URL(url).origin) return undefined
  return origin === 'null' && site === 'same-origin' ? undefined : FORGED
}

const FORGED: Denial = { error: 'forged_request', description: 'The request was sent from another site.' }
