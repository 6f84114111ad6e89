import { type MouseEvent, startTransition, useEffect, useLayoutEffect, useState } from 'react'
import { SECOND_MS } from '../../contract/duration.ts'
import { useUi } from './ui.ts'

/** On the server there is no `location`. */
let drawnPath = '/'
const pathname = (): string => (globalThis.location as Location | undefined)?.pathname ?? drawnPath

/** The address of the page that the server draws. */
export const drawAt = (path: string): void => {
  drawnPath = path
}

const listeners = new Set<() => void>()
let hasNavigated = false
/** A link has led there, and the page is not drawn yet. */
let destination: string | undefined

export function usePathname(): string {
  const [path, setPath] = useState(pathname)
  useLayoutEffect(() => {
    const follow = (): void => setPath(pathname())
    // The browser scrolls to where a person was.
    const goBack = (): void => {
      destination = undefined
      follow()
    }
    follow()
    listeners.add(follow)
    addEventListener('popstate', goBack)
    return () => {
      listeners.delete(follow)
      removeEventListener('popstate', goBack)
    }
  }, [])
  useLayoutEffect(() => {
    if (path !== destination) return
    destination = undefined
    scrollTo(0, 0)
  }, [path])
  return path
}

/**
 * A page begins at its top, and a link to the present one adds no entry to the history. React draws the next
 * page in steps, so that the browser answers input in between.
 */
export function navigate(to: string): void {
  hasNavigated = true
  if (to === pathname()) {
    history.replaceState(null, '', to)
    return scrollTo(0, 0)
  }
  history.pushState(null, '', to)
  destination = to
  startTransition(() => {
    for (const follow of listeners) follow()
  })
}

/** A `ref` of a heading, which gets the focus if a link of the page led here: what was pressed is gone. */
export const focusedByLink = (heading: HTMLElement | null): void => {
  if (hasNavigated) heading?.focus({ preventScroll: true })
}

/** A `ref` of what gets the focus once it is drawn, because what was pressed is gone. */
export const focused = (element: HTMLElement | null): void => element?.focus()

/** A person who is still here by then has stopped the browser, or waits in vain: they get the page back. */
export const LEAVING_MS = 10 * SECOND_MS

/** If what has the focus leaves the page, the focus goes near it: to the button that runs, or to an alert. */
export function useFocusNear(): void {
  useEffect(() => {
    let path: Element[] = []
    const note = (event: FocusEvent): void => {
      path = event.composedPath().filter((one) => one instanceof HTMLElement)
    }
    const observer = new MutationObserver(() => {
      if (document.activeElement === document.body && path[0]?.isConnected === false) focusNear(path)
    })
    addEventListener('focusin', note)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      removeEventListener('focusin', note)
      observer.disconnect()
    }
  }, [])
}

function focusNear(path: readonly Element[]): void {
  const place = path.find((one) => one.isConnected && one.closest('main, header'))
  const near = place ?? document.querySelector('main')
  const shown = near?.querySelector('[role=alert]') ?? near
  shown?.setAttribute('tabindex', '-1')
  const running = near?.querySelector('button[aria-busy=true]') ?? shown
  ;(running as HTMLElement | null)?.focus({ preventScroll: true })
}

/** Opens a page at this address, with this state of its history entry, in place of the present one. */
export function loadAnew(to: string, state: unknown): void {
  const root = document.documentElement
  // What comes before the browser has left changes nothing any more.
  if (root.inert) return
  root.inert = true
  history.replaceState(state, '', to)
  location.reload()
  setTimeout(() => {
    root.inert = false
  }, LEAVING_MS)
}

/** Leaves a click that asks for a new tab or window to the browser. */
export function followLink(event: MouseEvent<HTMLAnchorElement>): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  navigate(event.currentTarget.pathname)
}

/** Sets the title, after the mark of the month if there is one. */
export function useTitle(title: string): void {
  const mark = useUi((ui) => ui.titleMark)
  useLayoutEffect(() => {
    document.title = mark === '' ? `${title} · Plimsoll` : `${mark} · ${title}`
  }, [title, mark])
}
