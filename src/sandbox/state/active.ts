/** Which keys, applications and grants are active: neither deleted nor disabled. */
import { SECOND_MS } from '../../contract/duration.ts'
import { ACCESS_TOKEN_LIFETIME_SECONDS } from '../../contract/token.ts'
import type { Choices } from '../choices/choices.ts'
import type { ApiKey, Application } from './seed.ts'
import type { DeepReadonly, Grant } from './state.ts'
import type { Context } from './context.ts'

/** How long a deleted key stays active; keys do not expire, so `at_expiry` takes the lifetime of an access token. */
const ACTIVE_AFTER_DELETION: Record<Choices['revoked'], { seconds: number }> = {
  at_once: { seconds: 0 },
  at_expiry: { seconds: ACCESS_TOKEN_LIFETIME_SECONDS },
}

/** Whether a key or an application is accepted (U38, U51, U74). */
export function isActive(
  { choices, nowMs }: Pick<Context, 'choices' | 'nowMs'>,
  { disabled_by, deleted_at_ms }: DeepReadonly<Pick<ApiKey, 'disabled_by' | 'deleted_at_ms'>>,
): boolean {
  if (disabled_by !== undefined) return false
  return (
    deleted_at_ms === undefined ||
    nowMs - deleted_at_ms < ACTIVE_AFTER_DELETION[choices.revoked].seconds * SECOND_MS
  )
}

/** The application of a `client_id`, if it is registered and not disabled. */
export function activeApplication(context: Context, clientId: string): DeepReadonly<Application> | undefined {
  const known = context.state.applications.find(({ client_id }) => client_id === clientId)
  return known && isActive(context, known) ? known : undefined
}

/** Whether the tokens of a grant are accepted: not those of a disabled application; those left by a deleted one are. */
export function isGrantActive(context: Context, { client_id }: DeepReadonly<Grant>): boolean {
  const application = context.state.applications.find((known) => known.client_id === client_id)
  return application === undefined || isActive(context, application)
}
