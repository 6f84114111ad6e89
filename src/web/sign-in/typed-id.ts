/** Finds out if the typed id explains a refusal. It is loaded late, since few sign-ins fail. */
import { PATHS } from '../../contract/page.ts'
import { getSession } from '../lib/api.ts'
import { lastOrganizations } from '../session/last-organizations.ts'
import type { FailedSignIn } from './failed-attempt.ts'

/** If nothing but the id in a refused request can be wrong, the person gets it back to correct it. */
export async function withTypedId(failure: FailedSignIn): Promise<FailedSignIn> {
  const { problem, error, organizationId: id } = failure
  if (problem.code !== 'authorization_failed' || error !== 'invalid_request' || id === undefined)
    return failure
  const session = await getSession().catch(() => undefined)
  const known = [...lastOrganizations(), ...(session?.sandbox?.organizations ?? [])]
  if (known.some((one) => one.id === id)) return failure
  return { ...failure, at: 'id', ...(session?.signed_in && { returnTo: PATHS.organizations }) }
}
