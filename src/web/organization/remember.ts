/** Remembers the organization for the sign-in page: at once, and again when its name is known. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { SignedIn } from '../../contract/session.ts'
import { rememberOrganization } from '../session/last-organizations.ts'
import { knownIn } from '../record/organization-name.ts'
import { organizationQuery } from '../lib/query.ts'

/** An API key names no organization, so none is remembered. */
export function useRememberedOrganization(session: SignedIn): void {
  const { organization_id: id } = session
  const { data } = useQuery({ ...organizationQuery(session), enabled: false })
  const name = useMemo(() => data && knownIn(data.text).name, [data])
  useEffect(() => {
    if (id !== undefined) rememberOrganization(name === undefined ? { id } : { id, name })
  }, [id, name])
}
