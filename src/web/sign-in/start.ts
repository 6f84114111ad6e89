/** Starts a sign-in: the browser leaves for the service's own page. */
import { useRef } from 'react'
import type { OrganizationId } from '../../contract/organization.ts'
import type { Application } from '../../contract/session.ts'
import { late } from '../lib/late.ts'

/** Goes once, however many buttons are pressed. @param returnTo the address to which the sign-in returns */
export function useStart(
  application: Application,
  returnTo: (id: OrganizationId) => string,
): (id: OrganizationId) => Promise<void> {
  const running = useRef<Promise<void>>(undefined)
  return (id) => {
    running.current ??= goToService(application, id, returnTo(id)).catch((error: unknown) => {
      running.current = undefined
      throw error
    })
    return running.current
  }
}

async function goToService(application: Application, id: OrganizationId, returnTo: string): Promise<void> {
  const { startSignIn } = await late(import('./authorize.ts'))
  location.assign(await startSignIn(application, id, returnTo))
}
