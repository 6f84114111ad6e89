/** Adds keys and applications, decides if they are active, and revokes them. */
import { SECOND_MS } from '../../contract/duration.ts'
import { ACCESS_TOKEN_LIFETIME_SECONDS } from '../../contract/token.ts'
import type { Choices } from '../choices/choices.ts'
import type { Context } from './context.ts'
import { deleteGrant, deleteIssued, ISSUED_STORES, type IssuedStore } from './issued.ts'
import type { ApiKey, Application } from './seed.ts'
import type { DeepReadonly } from './state.ts'
import { deleteExpired } from './sweep.ts'

/**
 * U38: how long a deleted key stays active, and what is deleted with an application. Keys do not expire:
 * `at_expiry` uses the lifetime of a token.
 */
const REVOKED: Record<Choices['revoked'], { keyMs: number; withApplication: readonly IssuedStore[] }> = {
  at_once: { keyMs: 0, withApplication: ISSUED_STORES },
  at_expiry: {
    keyMs: ACCESS_TOKEN_LIFETIME_SECONDS * SECOND_MS,
    withApplication: ['codes', 'refresh_tokens'],
  },
}

export const isKeyActive = (
  { choices, nowMs }: Pick<Context, 'choices' | 'nowMs'>,
  { deleted_at_ms }: DeepReadonly<Pick<ApiKey, 'deleted_at_ms'>>,
): boolean => deleted_at_ms === undefined || nowMs - deleted_at_ms < REVOKED[choices.revoked].keyMs

export const applicationWithId = (
  { state }: Pick<Context, 'state'>,
  clientId: string,
): DeepReadonly<Application> | undefined => state.applications.find(({ client_id }) => client_id === clientId)

/** @param issued_by a person's id */
export function issueKey(context: Context, fields: Omit<ApiKey, 'value'>): ApiKey {
  const key = { value: context.nextRandom(), ...fields }
  context.change(({ api_keys }) => api_keys.push(key))
  return key
}

export function registerApplication(
  context: Context,
  fields: Omit<Application, 'client_id' | 'client_secret'>,
): Application {
  const [client_id, client_secret] = [context.nextRandom().slice(0, 20), context.nextRandom()]
  const application = { client_id, client_secret, ...fields }
  context.change(({ applications }) => applications.push(application))
  return application
}

export function revokeKey(context: Context, { value }: DeepReadonly<ApiKey>): void {
  const key = context.state.api_keys.find((one) => one.value === value)
  context.change((state) => {
    state.api_keys = state.api_keys.filter((one) => one.value !== value && isKeyActive(context, one))
    if (key && REVOKED[context.choices.revoked].keyMs > 0)
      state.api_keys.push({ ...structuredClone(key as ApiKey), deleted_at_ms: context.nowMs })
  })
}

/** Also ends its codes and tokens, and closes its consent pages (RFC 6749 3.2.1). */
export function deleteApplication(context: Context, clientId: string): void {
  const stores = REVOKED[context.choices.revoked].withApplication
  context.change((state) => {
    for (const [id, { client_id }] of Object.entries(state.grants)) {
      if (client_id !== clientId) continue
      if (stores.length === ISSUED_STORES.length) deleteGrant(state, id)
      else deleteIssued(state, id, stores)
    }
    deleteExpired(state.pending, ({ client_id }) => client_id === clientId)
    state.applications = state.applications.filter(({ client_id }) => client_id !== clientId)
  })
}
