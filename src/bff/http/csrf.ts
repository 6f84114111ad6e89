/** Refuses requests of another site (CSRF), by a header that no form can set and by Fetch Metadata. */
import { CSRF_HEADER } from '../../contract/api.ts'
import { Problem } from '../../contract/problem.ts'

// Any other value is ignored (Fetch Metadata 2.3).
const SITES: readonly (string | null)[] = ['same-origin', 'same-site', 'cross-site', 'none']

/**
 * @param publicUrl `Origin` must equal it if the browser sends no known Fetch Metadata
 * @param isStream an EventSource sets no header: only Fetch Metadata or `Origin` decides
 * @throws Problem `forged_request`, also if both are missing: every browser that runs our page sends one
 */
export function assertSameOrigin(request: Request, publicUrl: string, isStream: boolean): void {
  if (!isStream && request.headers.get(CSRF_HEADER) !== '1')
    throw new Problem('forged_request', { fault: 'csrf_header_missing' })
  const site = request.headers.get('Sec-Fetch-Site')
  const isSameOrigin = SITES.includes(site)
    ? site === 'same-origin'
    : request.headers.get('Origin') === publicUrl
  if (!isSameOrigin) throw new Problem('forged_request', { fault: 'not_same_origin' })
}
