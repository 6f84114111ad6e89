/** The pages of the app: the router, the header and the bff's documents read this list. */
import { CALLBACK_PATH } from './authorize.ts'
import { type OrganizationId, parseOrganizationId } from './organization.ts'

/** Addresses of the pages of a signed-in person, beside that of the organization. */
export const PATHS = {
  organizations: '/organizations',
  ledger: '/ledger',
  months: '/months',
  learnt: '/learnt',
  sessions: '/sessions',
  links: '/links',
  device: '/device',
} as const
export type SidePageName = keyof typeof PATHS

/** The page of a second browser, which a code opens. The code may follow as the fragment. */
export const PAIR_PATH = '/pair'

/** The set-up guide, for everyone. */
export const GUIDE_PATH = '/guide'

export type Place =
  | { name: 'home' }
  | { name: 'organization'; id: OrganizationId }
  | { name: SidePageName }
  | { name: 'callback' }
  | { name: 'guide' }
  | { name: 'watched'; id: string }
  | { name: 'pair' }
  | { name: 'unknown' }

/** The page of an organization. */
export const isOwnPage = ({ name }: Place): boolean => name === 'home' || name === 'organization'

/** Opens without a session, and asks for none. */
export const isForStrangers = ({ name }: Place): boolean => name === 'watched' || name === 'pair'

export const isSidePage = (place: Place): place is { name: SidePageName } => place.name in PATHS

export function placeOf(pathname: string): Place {
  if (pathname === '/') return { name: 'home' }
  for (const name of Object.keys(PATHS) as SidePageName[]) if (pathname === PATHS[name]) return { name }
  if (pathname === CALLBACK_PATH) return { name: 'callback' }
  if (pathname === GUIDE_PATH) return { name: 'guide' }
  if (pathname === PAIR_PATH) return { name: 'pair' }
  // Mail and chat turn `#` into `%23`, and take what follows a link for a part of it.
  const link = /^\/watch\/([\w-]{16})(?![\w/-])/.exec(pathname)?.[1]
  if (link !== undefined) return { name: 'watched', id: link }
  const id = /^\/organizations\/([^/]+)\/?$/.exec(pathname)?.[1]
  try {
    return { name: 'organization', id: parseOrganizationId(id) }
  } catch {
    return { name: 'unknown' }
  }
}
