/** The only place that says which keys and applications are served: those that are neither deleted nor disabled. */
import { ACCESS_TOKEN_LIFETIME_SECONDS } from '../../contract/token.ts'
import type { Choices } from '../choices/choices.ts'
import { type ApiKey, type Application, type Frozen, type Grant, type SandboxState } from './state.ts'
import { deleteGrant, deleteIssued, ISSUED_STORES, type IssuedStore, type Permission } from './issued.ts'
import { deleteExpired } from './sweep.ts'
import type { Context } from './context.ts'

/** How long a deleted key is still served; as a key has no end of its own, it is given the one of an access token. */
const SERVED_AFTER_DELETION: Record<Choices['revoked'], { seconds: number }> = {
  at_once: { seconds: 0 },
  at_expiry: { seconds: ACCESS_TOKEN_LIFETIME_SECONDS },
}

/** Whether a key or an application that is known still opens anything (U38, U51, U74). */
export function isActive(
  { choices, nowMs }: Pick<Context, 'choices' | 'nowMs'>,
  { disabled_by, deleted_at_ms }: Frozen<Pick<ApiKey, 'disabled_by' | 'deleted_at_ms'>>,
): boolean {
  if (disabled_by !== undefined) return false
  return (
    deleted_at_ms === undefined ||
    nowMs - deleted_at_ms < SERVED_AFTER_DELETION[choices.revoked].seconds * 1000
  )
}

/** The application of a `client_id`, as long as it is registered and not disabled. */
export function activeApplication(context: Context, clientId: string): Frozen<Application> | undefined {
  const known = context.state.applications.find(({ client_id }) => client_id === clientId)
  return known && isActive(context, known) ? known : undefined
}

/** Whether the tokens of a grant are served: those of a disabled application are not, those left by a deleted one are. */
export function isGrantActive(context: Context, { client_id }: Frozen<Grant>): boolean {
  const application = context.state.applications.find((known) => known.client_id === client_id)
  return application === undefined || isActive(context, application)
}

/** All that are registered for an application, the first one first (U17). */
export const redirectUrisOf = ({
  redirect_uri,
  more_redirect_uris = [],
}: Frozen<Pick<Application, 'redirect_uri' | 'more_redirect_uris'>>): readonly string[] => [
  redirect_uri,
  ...more_redirect_uris,
]

/** The keys of an organization that are in its list, oldest first. */
export const keysOf = (
  { api_keys }: Frozen<Pick<SandboxState, 'api_keys'>>,
  organizationId: number,
): readonly Frozen<ApiKey>[] =>
  api_keys.filter((key) => key.organization_id === organizationId && key.deleted_at_ms === undefined)

/** The applications that are registered in an organization, oldest first. */
export const applicationsOf = (
  { applications }: Frozen<Pick<SandboxState, 'applications'>>,
  organizationId: number,
): readonly Frozen<Application>[] =>
  applications.filter(({ organization_id }) => organization_id === organizationId)

/** Takes a key's value out of service: at once, or after the time that a token would have lasted (U38). */
export function revokeKey(context: Context, { value }: Frozen<ApiKey>): void {
  const { state, choices, nowMs } = context
  const key = state.api_keys.find((known) => known.value === value)
  context.change((known) => {
    known.api_keys = known.api_keys.filter(
      (one) => one.value !== value && (one.deleted_at_ms === undefined || isActive(context, one)),
    )
    if (key && choices.revoked === 'at_expiry')
      known.api_keys.push({ ...structuredClone(key as ApiKey), deleted_at_ms: nowMs })
  })
}

/** What is revoked together with an application, or with its secret; `at_expiry` leaves the access tokens until they expire. */
const REVOKED_WITH: Record<Choices['revoked'], Record<'application' | 'secret', readonly IssuedStore[]>> = {
  at_once: { application: ISSUED_STORES, secret: ISSUED_STORES },
  at_expiry: { application: ['codes', 'refresh_tokens'], secret: [] },
}

/** Revokes the codes and tokens of an application that was deleted, or whose secret was replaced (U38, RFC 6749 3.2.1). */
export function revokeApplicationTokens(
  context: Context,
  clientId: string,
  because: 'application' | 'secret',
): void {
  revokeGrants(
    context,
    (grant) => grant.client_id === clientId,
    REVOKED_WITH[context.choices.revoked][because],
  )
}

/** Revokes all grants of which the test is true, and the open consent pages of which it is. Looks at every grant. */
export function revokeGrants(
  context: Context,
  isRevoked: (permission: Permission) => boolean,
  stores: readonly IssuedStore[] = ISSUED_STORES,
): void {
  if (stores.length === 0) return
  context.change((state) => {
    for (const [id, grant] of Object.entries(state.grants)) {
      if (!isRevoked(grant)) continue
      if (stores.length === ISSUED_STORES.length) deleteGrant(state, id)
      else deleteIssued(state, id, stores)
    }
    deleteExpired(state.pending, isRevoked)
  })
}
