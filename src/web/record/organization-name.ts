import { useQuery } from '@tanstack/react-query'
import { type PlanName, PLANS } from '../../contract/plan.ts'
import type { SignedIn } from '../../contract/session.ts'
import { organizationQuery } from '../lib/query.ts'
import { signedInText } from '../text/text.ts'
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

/** The name, or a description by number. */
export function useOrganizationName(session: SignedIn): string {
  const { organization: t } = signedInText()
  const name = useKnownName(session)
  return name ?? (session.organization_id === undefined ? t.ofKey : t.numbered(session.organization_id))
}
