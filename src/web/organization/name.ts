/** What the page calls an organization, and what it knows of its record. */
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type PlanName, PLANS } from '../../contract/plan.ts'
import type { OtherSession, SignedIn } from '../../contract/session.ts'
import { organizationQuery } from '../lib/query.ts'
import { rememberOrganization, useLastOrganizations } from '../session/last-organizations.ts'
import { words } from '../text/text.ts'
import { type Summary, summaryIn } from './summary.ts'

/** Each answer is parsed once, because it may have megabytes. */
const known = new WeakMap<{ text: string }, Summary>()

export function summaryOf(answer: { text: string }): Summary {
  const found = known.get(answer) ?? summaryIn(answer.text)
  known.set(answer, found)
  return found
}

/** Reads the page's own copy, and asks for none. */
export function useSummary(session: SignedIn): Summary {
  const { data: answer } = useQuery({ ...organizationQuery(session), enabled: false })
  return answer ? summaryOf(answer) : {}
}

/** The plan of the document (8.1) that a record names. */
export function planNamed(plan = ''): PlanName | undefined {
  const name = plan.toLowerCase()
  return Object.hasOwn(PLANS, name) ? (name as PlanName) : undefined
}

export const useKnownPlan = (session: SignedIn): PlanName | undefined => planNamed(useSummary(session).plan)

/** Names an organization as this browser remembers it, or by its number. */
export function useNames(): (of: Pick<OtherSession, 'organization_id'>) => string {
  const last = useLastOrganizations()
  const t = words().organization
  return ({ organization_id: id }) =>
    id === undefined ? t.ofKey : (last.find((one) => one.id === id)?.name ?? t.numbered(id))
}

export function useOrganizationName(session: SignedIn): string {
  const nameOf = useNames()
  return useSummary(session).name ?? nameOf(session)
}

/** For the sign-in page: at once, and again when the name is known. An API key names no organization. */
export function useRememberedOrganization(session: SignedIn): void {
  const { organization_id: id } = session
  const { name } = useSummary(session)
  useEffect(() => {
    if (id !== undefined) rememberOrganization(name === undefined ? { id } : { id, name })
  }, [id, name])
}
