/** How the organization of a session is called. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { isJsonObject } from '../contract/json.ts'
import type { SignedIn } from '../contract/session.ts'
import { organizationQuery } from './query.ts'

/** Longer ones would fill a title. */
const LONGEST = 80

/** The member `name` of an organization's record, if it is one: which members the record has is not shown (2.3, 4.4). */
export function nameIn(text: string): string | undefined {
  try {
    const record: unknown = JSON.parse(text)
    const name = isJsonObject(record) ? record['name'] : undefined
    const words = typeof name === 'string' ? name.replaceAll(/\s+/g, ' ').trim() : ''
    return words === '' || words.length > LONGEST ? undefined : words
  } catch {
    return undefined
  }
}

/** By the copy that the page has; it asks for none. */
export function useOrganizationName(session: SignedIn): string {
  const { data } = useQuery({ ...organizationQuery(session), enabled: false })
  const name = useMemo(() => data && nameIn(data.text), [data])
  return name ?? `Organization ${session.organization_id ?? 'of your key'}`
}
