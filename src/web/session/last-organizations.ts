/** The organizations that this browser was signed in to last: their ids and names only. */
import { listOf, members, text } from '../../contract/json.ts'
import { type OrganizationId, parseOrganizationId } from '../../contract/organization.ts'

export interface LastOrganization {
  id: OrganizationId
  name?: string
}

const STORED = 'plimsoll.organizations'
const MOST = 5

const readStored = listOf(members({ id: (value) => parseOrganizationId(value) }, { name: text }))

/** At most five, the newest first. */
export function lastOrganizations(): LastOrganization[] {
  try {
    return readStored(JSON.parse(window.localStorage.getItem(STORED) ?? '[]')).slice(0, MOST)
  } catch {
    // The browser refuses the storage, or another version of this page wrote the list; a server has none.
    return []
  }
}

export const rememberedName = (id: OrganizationId): string | undefined =>
  lastOrganizations().find((one) => one.id === id)?.name

/** Puts it first. A missing name does not replace a known one. */
export function rememberOrganization({ id, name }: LastOrganization): void {
  const before = lastOrganizations()
  const known = name ?? rememberedName(id)
  const first = known === undefined ? { id } : { id, name: known }
  storeList([first, ...before.filter((one) => one.id !== id)].slice(0, MOST))
}

export function forgetOrganization(id: OrganizationId): void {
  storeList(lastOrganizations().filter((one) => one.id !== id))
}

export const forgetOrganizations = (): void => storeList([])

function storeList(organizations: LastOrganization[]): void {
  try {
    if (organizations.length === 0) localStorage.removeItem(STORED)
    else localStorage.setItem(STORED, JSON.stringify(organizations))
  } catch {
    // The browser refuses the storage, so there is no list.
  }
}
