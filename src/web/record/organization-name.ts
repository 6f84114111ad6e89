import { useQuery } from '@tanstack/react-query'
import type { SignedIn } from '../../contract/session.ts'
import type { ReceivedAnswer } from '../lib/api.ts'
import { DIRECTION_MARKS } from './direction-marks.ts'
import { recordIn } from './organization.ts'
import { organizationQuery } from '../lib/query.ts'
import { signedInText } from '../text/text.ts'

/** A longer name would fill a title. */
const LONGEST_NAME = 80

/** The record's member `name`, if it is a name. The document does not list the members (2.3, 4.4). */
export function nameIn(text: string): string | undefined {
  try {
    const { record } = recordIn(JSON.parse(text)) ?? {}
    const name = record && Object.hasOwn(record, 'name') ? record['name'] : undefined
    const words =
      typeof name === 'string' ? name.replaceAll(DIRECTION_MARKS, '').replaceAll(/\s+/g, ' ').trim() : ''
    return /[\p{L}\p{N}\p{P}\p{S}]/u.test(words) && words.length <= LONGEST_NAME ? words : undefined
  } catch {
    return undefined
  }
}

/** Each answer is parsed once, because it may have megabytes. */
const names = new WeakMap<ReceivedAnswer, { name: string | undefined }>()

function nameInAnswer(answer: ReceivedAnswer): string | undefined {
  const known = names.get(answer) ?? { name: nameIn(answer.text) }
  names.set(answer, known)
  return known.name
}

/** The name in the copy that the page has; it asks for none. */
export function useKnownName(session: SignedIn): string | undefined {
  const { data } = useQuery({ ...organizationQuery(session), enabled: false })
  return data && nameInAnswer(data)
}

/** The name, or a description by number. */
export function useOrganizationName(session: SignedIn): string {
  const { organization: t } = signedInText()
  const name = useKnownName(session)
  return name ?? (session.organization_id === undefined ? t.ofKey : t.numbered(session.organization_id))
}
