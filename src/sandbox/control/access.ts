/** Who may speak to the control plane: this machine alone, its own pages and tools, and nobody with a credential of the service. */
import { API_KEY_HEADER } from '../../contract/credential.ts'

/** Why a request is refused; 403 unless it says otherwise. */
export interface Denial {
  error: string
  description: string
  status?: number
}

/** Another name would be one that leads here by a trick of DNS. */
const LOOPBACK = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(:\d{1,5})?$/i

/** @returns `undefined` where nothing speaks against it */
export function denialOf(request: Request, apiKeyHeader: string = API_KEY_HEADER): Denial | undefined {
  const { host } = new URL(request.url)
  const { headers, method } = request
  if (![host, headers.get('Host') ?? host].every((name) => LOOPBACK.test(name)))
    return { error: 'foreign_host', description: 'The control plane is on this machine only.', status: 421 }
  if (headers.has('Authorization') || headers.has(apiKeyHeader))
    return { error: 'service_credential', description: 'Credentials of the service open nothing here.' }
  const isReading = method === 'GET' || method === 'HEAD'
  return isReading ? foreignReader(headers) : foreignWriter(request)
}

/** A browser says where a request comes from; another page may lead here, and read nothing. */
function foreignReader(headers: Headers): Denial | undefined {
  const site = headers.get('Sec-Fetch-Site') ?? 'none'
  const isVisit = headers.get('Sec-Fetch-Mode') === 'navigate' && headers.get('Sec-Fetch-Dest') === 'document'
  return ['same-origin', 'none'].includes(site) || isVisit ? undefined : FORGED
}

/** A page of ours has no referrer, so its forms say `null` for where they come from. */
function foreignWriter({ url, headers }: Request): Denial | undefined {
  const site = headers.get('Sec-Fetch-Site')
  const origin = headers.get('Origin')
  if (site !== null && site !== 'same-origin') return FORGED
  if (origin === null || origin === new URL(url).origin) return undefined
  return origin === 'null' && site === 'same-origin' ? undefined : FORGED
}

const FORGED: Denial = { error: 'forged_request', description: 'This came from another site.' }
