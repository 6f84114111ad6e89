/** The organizations that this browser was signed in to last: their ids and names only. */
import { useSyncExternalStore } from 'react'
import { type OrganizationId, parseOrganizationId } from '../../contract/organization.ts'

export interface LastOrganization {
  id: OrganizationId
  name?: string
}

const STORED = 'plimsoll.organizations'
const MOST = 5
const NONE: LastOrganization[] = []

/** @throws if the stored value has another shape */
const readStored = (list: { [Name in keyof LastOrganization]: unknown }[]): LastOrganization[] =>
  list.map(({ id, name }) => ({ id: parseOrganizationId(id), ...(typeof name === 'string' && { name }) }))

/** The same list as long as the same text is stored. */
let read = { stored: '[]', list: NONE }

/** At most five, the newest first. */
export function lastOrganizations(): LastOrganization[] {
  try {
    const stored = window.localStorage.getItem(STORED) ?? '[]'
    if (stored !== read.stored)
      read = { stored, list: readStored(JSON.parse(stored) as never).slice(0, MOST) }
    return read.list
  } catch {
    // The browser refuses the storage, or another version of this page wrote the list; a server has none.
    return NONE
  }
}

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The server, which draws the page too, knows none. */
export const useLastOrganizations = (): LastOrganization[] =>
  useSyncExternalStore(subscribe, lastOrganizations, () => NONE)

/** Puts it first. A missing name does not replace a known one. */
export function rememberOrganization({ id, name }: LastOrganization): void {
  const before = lastOrganizations()
  const known = name ?? before.find((one) => one.id === id)?.name
  if (before[0]?.id === id && before[0].name === known) return
  const first = known === undefined ? { id } : { id, name: known }
  storeList([first, ...before.filter((one) => one.id !== id)].slice(0, MOST))
}

/** @param gone all, if it is absent */
export const forgetOrganizations = (gone?: readonly OrganizationId[]): void =>
  storeList(gone ? lastOrganizations().filter(({ id }) => !gone.includes(id)) : [])

function storeList(organizations: LastOrganization[]): void {
  try {
    if (organizations.length === 0) localStorage.removeItem(STORED)
    else localStorage.setItem(STORED, JSON.stringify(organizations))
  } catch {
    // The browser refuses the storage, so there is no list.
  }
  for (const listener of listeners) listener()
}
