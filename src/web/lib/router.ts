/** The addresses of the page, and navigation between them. */
import { type MouseEvent, useLayoutEffect, useSyncExternalStore } from 'react'
import { CALLBACK_PATH } from '../../contract/authorize.ts'
import { type OrganizationId, parseOrganizationId } from '../../contract/organization.ts'
import { useUi } from './ui.ts'

/** Addresses of the pages beside that of the organization. */
export const PATHS = {
  organizations: '/organizations',
  ledger: '/ledger',
  sessions: '/sessions',
  learnt: '/learnt',
} as const
/** The set-up guide, for everyone. */
export const GUIDE_PATH = '/guide'

export type Place =
  | { name: 'home' }
  | { name: 'organization'; id: OrganizationId }
  | { name: keyof typeof PATHS }
  | { name: 'callback' }
  | { name: 'guide' }
  | { name: 'unknown' }

const PAGE_NAMES = Object.keys(PATHS) as (keyof typeof PATHS)[]

export function placeOf(pathname: string): Place {
  if (pathname === '/') return { name: 'home' }
  for (const name of PAGE_NAMES) if (pathname === PATHS[name]) return { name }
  if (pathname === CALLBACK_PATH) return { name: 'callback' }
  if (pathname === GUIDE_PATH) return { name: 'guide' }
  const id = /^\/organizations\/([^/]+)\/?$/.exec(pathname)?.[1]
  try {
    return { name: 'organization', id: parseOrganizationId(id) }
  } catch {
    return { name: 'unknown' }
  }
}

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('popstate', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('popstate', listener)
  }
}

const pathname = (): string => location.pathname
export const usePathname = (): string => useSyncExternalStore(subscribe, pathname, pathname)

/** @param options.state of the history entry, which a reload does not change */
export function navigate(
  to: string,
  { replace = false, state = null }: { replace?: boolean; state?: object | null } = {},
): void {
  if (replace) history.replaceState(state, '', to)
  else history.pushState(state, '', to)
  for (const listener of listeners) listener()
}

/** Handles a click on a link within the page. The browser handles one that asks for a new tab or window. */
export function followLink(event: MouseEvent<HTMLAnchorElement>): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  navigate(event.currentTarget.pathname)
}

/** Sets the title of the page, after the mark of the month if there is one. */
export function useTitle(title: string): void {
  const mark = useUi((ui) => ui.titleMark)
  useLayoutEffect(() => {
    document.title = mark === '' ? `${title} · Plimsoll` : `${mark} · ${title}`
  }, [title, mark])
}
