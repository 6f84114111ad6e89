/** Finds redirect URIs, API keys and applications (2.3). */
import type { ApiKey, Application } from './seed.ts'
import type { DeepReadonly, SandboxState } from './state.ts'

/** In the order of registration (U17). */
export const redirectUrisOf = ({
  redirect_uri,
  more_redirect_uris = [],
}: DeepReadonly<Pick<Application, 'redirect_uri' | 'more_redirect_uris'>>): readonly string[] => [
  redirect_uri,
  ...more_redirect_uris,
]

/** Leaves out the deleted ones; oldest first. */
export const keysOf = (
  { api_keys }: DeepReadonly<Pick<SandboxState, 'api_keys'>>,
  organizationId: number,
): readonly DeepReadonly<ApiKey>[] =>
  api_keys.filter((key) => key.organization_id === organizationId && key.deleted_at_ms === undefined)

/** Oldest first. */
export const applicationsOf = (
  { applications }: DeepReadonly<Pick<SandboxState, 'applications'>>,
  organizationId: number,
): readonly DeepReadonly<Application>[] =>
  applications.filter(({ organization_id }) => organization_id === organizationId)
