/** Revokes API keys, and the grants of people and applications. */
import type { Choices } from '../choices/choices.ts'
import { isActive } from './active.ts'
import type { Context } from './context.ts'
import { deleteGrant, deleteIssued, ISSUED_STORES, type IssuedStore, type Permission } from './issued.ts'
import type { ApiKey } from './seed.ts'
import type { DeepReadonly } from './state.ts'
import { deleteExpired } from './sweep.ts'

/** At once, or after the lifetime of an access token (U38). */
export function revokeKey(context: Context, { value }: DeepReadonly<ApiKey>): void {
  const { state, choices, nowMs } = context
  const key = state.api_keys.find((one) => one.value === value)
  context.change((changed) => {
    changed.api_keys = changed.api_keys.filter(
      (one) => one.value !== value && (one.deleted_at_ms === undefined || isActive(context, one)),
    )
    if (key && choices.revoked === 'at_expiry')
      changed.api_keys.push({ ...structuredClone(key as ApiKey), deleted_at_ms: nowMs })
  })
}

/** The stores to empty with an application or its secret. `at_expiry` keeps access tokens. */
const REVOKED_WITH: Record<Choices['revoked'], Record<'application' | 'secret', readonly IssuedStore[]>> = {
  at_once: { application: ISSUED_STORES, secret: ISSUED_STORES },
  at_expiry: { application: ['codes', 'refresh_tokens'], secret: [] },
}

/** For a deleted application, or one with a new secret (U38, RFC 6749 3.2.1). */
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

/** Also closes the consent pages. Looks at every grant. */
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
