import { useQuery } from '@tanstack/react-query'
import { type PlanName, PLANS } from '../../contract/plan.ts'
import type { OtherSession, SignedIn } from '../../contract/session.ts'
import { useIsOwn } from '../lib/boot.ts'
import { organizationQuery } from '../lib/query.ts'
import { rememberedName } from '../session/last-organizations.ts'
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
function useSummary(session: SignedIn): Summary {
  const { data } = useQuery({ ...organizationQuery(session), enabled: false })
  return data ? summaryOf(data) : {}
}

export const useKnownName = (session: SignedIn): string | undefined => useSummary(session).name

/** The plan of the document (8.1) that a record names. */
export function planNamed(plan = ''): PlanName | undefined {
  const name = plan.toLowerCase()
  return Object.hasOwn(PLANS, name) ? (name as PlanName) : undefined
}

export const useKnownPlan = (session: SignedIn): PlanName | undefined => planNamed(useSummary(session).plan)

/** Names an organization as this browser remembers it, or by its number. */
export function useNames(): (of: Pick<OtherSession, 'organization_id'>) => string {
  const t = words().organization
  const isOwn = useIsOwn()
  return ({ organization_id: id }) =>
    id === undefined ? t.ofKey : ((isOwn ? rememberedName(id) : undefined) ?? t.numbered(id))
}

export function useOrganizationName(session: SignedIn): string {
  const nameOf = useNames()
  return useKnownName(session) ?? nameOf(session)
}
