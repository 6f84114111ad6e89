/** Lets through only what our own page sent: a header that no form can set, and same-origin by Fetch Metadata. */
import { CSRF_HEADER } from '../contract/api.ts'
import { Problem } from '../contract/problem.ts'

// Fetch Metadata 2.3: a word that is none of these is to be ignored.
const SITES = ['same-origin', 'same-site', 'cross-site', 'none']

/**
 * @param publicUrl our origin, against which `Origin` is held where a browser sends no Fetch Metadata that we know
 * @throws Problem `forged_request`, also where neither header is there: no browser that runs our page sends neither
 */
export function assertOurs(request: Request, publicUrl: string): void {
  if (request.headers.get(CSRF_HEADER) !== '1')
    throw new Problem('forged_request', { detail: `The header ${CSRF_HEADER}: 1 is missing.` })
  const site = request.headers.get('Sec-Fetch-Site')
  const ours =
    site !== null && SITES.includes(site)
      ? site === 'same-origin'
      : request.headers.get('Origin') === publicUrl
  if (!ours) throw new Problem('forged_request', { detail: 'The request is not of the same origin.' })
}
