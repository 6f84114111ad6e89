/** Decides if a key, an application or a grant is active: neither deleted nor disabled. */
import { SECOND_MS } from '../../contract/duration.ts'
import { ACCESS_TOKEN_LIFETIME_SECONDS } from '../../contract/token.ts'
import type { Choices } from '../choices/choices.ts'
import type { ApiKey, Application } from './seed.ts'
import type { DeepReadonly, Grant } from './state.ts'
import type { Context } from './context.ts'

/** Keys do not expire: `at_expiry` uses the lifetime of a token. */
const ACTIVE_AFTER_DELETION: Record<Choices['revoked'], { seconds: number }> = {
  at_once: { seconds: 0 },
  at_expiry: { seconds: ACCESS_TOKEN_LIFETIME_SECONDS },
}

/** U38, U51, U74. */
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

export function activeApplication(context: Context, clientId: string): DeepReadonly<Application> | undefined {
  const application = context.state.applications.find(({ client_id }) => client_id === clientId)
  return application && isActive(context, application) ? application : undefined
}

/** A deleted application may have left tokens; see revoke.ts. */
export function isGrantActive(context: Context, { client_id }: DeepReadonly<Grant>): boolean {
  const application = context.state.applications.find((one) => one.client_id === client_id)
  return application === undefined || isActive(context, application)
}
