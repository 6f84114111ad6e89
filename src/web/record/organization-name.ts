import { useQuery } from '@tanstack/react-query'
import { type PlanName, PLANS } from '../../contract/plan.ts'
import type { SignedIn } from '../../contract/session.ts'
import type { ReceivedAnswer } from '../lib/api.ts'
import { DIRECTION_MARKS } from './direction-marks.ts'
import { FACTS, recordIn } from './organization.ts'
import { organizationQuery } from '../lib/query.ts'
import { signedInText } from '../text/text.ts'

/** A longer name would fill a title. */
const LONGEST_NAME = 80

interface Known {
  name?: string | undefined
  plan?: PlanName | undefined
}

/** The record's name and plan, if they are such. The document does not list the members (2.3, 4.4). */
export function knownIn(text: string): Known {
  try {
    const { record } = recordIn(JSON.parse(text)) ?? {}
    const textOf = (names: readonly string[]): string => {
      const name = names.find((one) => record && Object.hasOwn(record, one))
      const value = name === undefined ? undefined : record?.[name]
      return typeof value === 'string'
        ? value.replaceAll(DIRECTION_MARKS, '').replaceAll(/\s+/g, ' ').trim()
        : ''
    }
    const [name, plan] = [textOf(['name']), textOf(FACTS.plan).toLowerCase()]
    return {
      name: /[\p{L}\p{N}\p{P}\p{S}]/u.test(name) && name.length <= LONGEST_NAME ? name : undefined,
      plan: Object.hasOwn(PLANS, plan) ? (plan as PlanName) : undefined,
    }
  } catch {
    return {}
  }
}

/** Each answer is parsed once, because it may have megabytes. */
const known = new WeakMap<ReceivedAnswer, Known>()

function knownInAnswer(answer: ReceivedAnswer): Known {
  const found = known.get(answer) ?? knownIn(answer.text)
  known.set(answer, found)
  return found
}

/** Reads the name from the page's own copy, and asks for none. */
function useKnown(session: SignedIn): Known {
  const { data } = useQuery({ ...organizationQuery(session), enabled: false })
  return data ? knownInAnswer(data) : {}
}

export const useKnownName = (session: SignedIn): string | undefined => useKnown(session).name

export const useKnownPlan = (session: SignedIn): PlanName | undefined => useKnown(session).plan

/** The name, or a description by number. */
export function useOrganizationName(session: SignedIn): string {
  const { organization: t } = signedInText()
  const name = useKnownName(session)
  return name ?? (session.organization_id === undefined ? t.ofKey : t.numbered(session.organization_id))
}
