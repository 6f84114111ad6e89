/** Remembers the organization for the sign-in page: at once, and again when its name is known. */
import { useEffect } from 'react'
import type { SignedIn } from '../../contract/session.ts'
import { rememberOrganization } from '../session/last-organizations.ts'
import { useKnownName } from '../record/organization-name.ts'

/** An API key names no organization, so none is remembered. */
export function useRememberedOrganization(session: SignedIn): void {
  const { organization_id: id } = session
  const name = useKnownName(session)
  useEffect(() => {
    if (id !== undefined) rememberOrganization(name === undefined ? { id } : { id, name })
  }, [id, name])
}
