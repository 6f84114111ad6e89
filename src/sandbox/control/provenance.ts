/** The origin of each address and field: the service's document, one of the choices, or this sandbox. */
import { CHOICES } from '../choices/choices.ts'

export interface Provenance {
  what: string
  /** `spec` with the section, `choice` with the number, or `ours`: something that the sandbox needs. */
  from: `spec ${string}` | `choice U${number}` | `ours: ${string}`
}

const of = (key: keyof typeof CHOICES): `choice U${number}` => `choice U${CHOICES[key].number}`

/** By the path of the route. */
const ADDRESS_ORIGINS: Record<string, Provenance['from']> = {
  '/oauth2/login': 'spec 4.1',
  '/oauth2/token': 'spec 4.2',
  '/rate_limit': 'spec 4.3',
  '/organizations': 'spec 4.4',
  '/organizations/:id': 'spec 4.4',
  '/settings': 'spec 5.1',
  '/settings/api-keys': 'spec 5.1',
  '/settings/api-keys/add': 'spec 5.1',
  '/settings/api-keys/:handle': 'spec 5.1',
  '/settings/applications': 'spec 5.2',
  '/settings/applications/add': 'spec 5.2',
  '/settings/applications/:handle': 'spec 5.2',
  '/settings/plan': of('planchange'),
  '/settings/permissions': of('states'),
  '/projects': 'spec 5.3',
  '/plan': 'spec 8.3',
  '/oauth2/revoke': of('revocation'),
  '/.well-known/oauth-authorization-server': of('metadata'),
  '/_choice/echo': of('resources'),
  '/oauth2/permission': 'ours: the form of the consent page',
  '/': 'ours: the start page',
  '/style.css': 'ours: the stylesheet of the pages',
  '/mark.svg': 'ours: the icon of the pages',
}

/** By the answer that has the field. */
const FIELD_ORIGINS: Record<string, Record<string, Provenance['from']>> = {
  'POST /oauth2/token': {
    access_token: 'spec 2.1',
    token_type: 'spec 2.1',
    expires_in: 'spec 2.1',
    refresh_token: 'spec 2.1',
    scope: of('scope'),
    error: of('tokerr'),
    error_description: of('tokerr'),
  },
  'GET /rate_limit': {
    get: 'spec 2.2',
    update: 'spec 2.2',
    limit: 'spec 2.2',
    remaining: 'spec 2.2',
    reset: 'spec 2.2',
  },
  'GET /organizations': { organization_id: of('orgid'), '*': of('orgbody') },
  'GET /organizations/:id': { organization_id: of('orgid'), '*': of('orgbody') },
  '/_choice/echo': { '*': of('resources') },
  '/.well-known/oauth-authorization-server': { '*': of('metadata') },
  'any answer of the API': {
    'X-RateLimit-Limit': 'spec 8.4',
    'X-RateLimit-Remaining': 'spec 8.4',
    'X-RateLimit-Reset': 'spec 8.4',
    'Retry-After': of('retryafter'),
    'WWW-Authenticate': of('missingcred'),
    Location: of('missingcred'),
    Allow: of('notfound'),
    'X-Service-Api-Version': of('version'),
    'Access-Control-Allow-Origin': of('cors'),
    'Access-Control-Allow-Methods': of('cors'),
    'Access-Control-Allow-Headers': of('cors'),
    'Access-Control-Expose-Headers': of('cors'),
    Date: of('skew'),
    'Cache-Control': of('cache'),
    Pragma: of('cache'),
    ETag: of('cache'),
    'Content-Type': of('errbody'),
    'X-Content-Type-Options': 'ours: no browser guesses the media type',
    error: of('errbody'),
    error_description: of('errbody'),
    code: of('errbody'),
    message: of('errbody'),
    errors: of('errbody'),
    type: of('errbody'),
    title: of('errbody'),
    status: of('errbody'),
    detail: of('errbody'),
  },
  'the redirect back': { code: of('redir'), state: of('redir'), error: of('deny') },
}

/** @param paths every path that has a route. One without a row is `ours: unlabelled`, which a test finds */
export function provenance(paths: readonly string[]): Provenance[] {
  const addresses = [...new Set(paths)].map(
    (what): Provenance => ({ what, from: ADDRESS_ORIGINS[what] ?? UNLABELLED }),
  )
  const fields = Object.entries(FIELD_ORIGINS).flatMap(([answer, members]) =>
    Object.entries(members).map(([name, from]): Provenance => ({ what: `${answer}: ${name}`, from })),
  )
  return [...addresses, ...fields]
}

export const UNLABELLED = 'ours: unlabelled'
