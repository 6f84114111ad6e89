/** Prepares the first screen, so that it replaces the page from the server in one step. */
import type { QueryClient } from '@tanstack/react-query'
import type { Problem } from '../../contract/problem.ts'
import type { Session, SignedIn } from '../../contract/session.ts'
import { isForStrangers, placeOf } from '../../contract/page.ts'
import { loadSignedIn } from './lazy-screens.ts'
import { late } from '../lib/late.ts'
import { askSession } from '../session/session.ts'
import { chosenLanguage } from '../preferences/storage.ts'
import { loadLanguage } from '../text/text.ts'

export interface FirstScreen {
  /** Who is signed in, if the page needs to know. */
  asked?: Session | Problem | undefined
  /** The client of the session's queries, which knows what the document shows. */
  client?: QueryClient | undefined
}

/** Rejects if the texts cannot be loaded. */
export async function prepareFirstScreen(): Promise<FirstScreen> {
  const { page, known, sheets = '' } = document.documentElement.dataset
  for (const href of sheets.split(' ')) if (href !== '') noteSheet(href)
  if (page === 'page' || page === 'side' || isWithoutSession()) void loadLate()
  const [asked] = await Promise.all([
    isWithoutSession() ? undefined : askSession(),
    late(loadLanguage(chosenLanguage())),
  ])
  // The page from the server stays until the first screen can replace it.
  if (asked !== undefined && 'signed_in' in asked && asked.signed_in)
    return { asked, client: await prepareSignedIn(asked, known !== undefined) }
  // The early answers do not belong to a session that begins later.
  globalThis.plimsollEarly = undefined
  return { asked }
}

async function prepareSignedIn(session: SignedIn, isKnown: boolean): Promise<QueryClient | undefined> {
  const signedIn = await loadLate()
  return isKnown ? signedIn?.askQuota(session) : undefined
}

/** The callback asks later. */
function isWithoutSession(): boolean {
  const place = placeOf(location.pathname)
  return place.name === 'callback' || isForStrangers(place)
}

/** The document has these styles. A disabled link keeps the loader of late modules from loading them. */
function noteSheet(href: string): void {
  const link = document.createElement('link')
  link.setAttribute('disabled', '')
  link.rel = 'stylesheet'
  link.setAttribute('href', href)
  document.head.append(link)
}

/** The screen itself shows a failure. */
const loadLate = () => loadSignedIn().catch(() => undefined)

/** The elements that the keyboard stops at. */
const STOPS = 'a, button, input, select, summary'

declare global {
  /** The button that a person pressed last, before the page could answer: start.js keeps it. */
  var plimsollPressed: Element | undefined
}

/** Keeps what a person types, selects, opens and presses, and the focus. @returns repeats it on the screen */
export function keepTyped(root: Element): () => void {
  const stops = [...root.querySelectorAll<HTMLElement>(STOPS)]
  let focused = document.activeElement
  const follow = ({ target }: Event): void => {
    focused = target as Element
  }
  root.addEventListener('focusin', follow)
  const openMenu = keepMenu(root)
  return () => {
    root.removeEventListener('focusin', follow)
    openMenu()
    const drawn = [...root.querySelectorAll<HTMLElement>(STOPS)]
    for (const stop of stops) {
      const at = drawn.findIndex((one) => looksOf(one) === looksOf(stop))
      const [same] = at === -1 ? [] : drawn.splice(at, 1)
      if (same === undefined) continue
      type(stop, same)
      select(stop, same)
      unfold(stop, same)
      if (stop === focused && !stop.isConnected) same.focus()
      // The form has the typed text only after the next rendering.
      if (stop === globalThis.plimsollPressed) setTimeout(() => same.click())
    }
  }
}

/** Those that look the same come in the same order. The script adds some, and their generated ids differ. */
const looksOf = ({ tagName, textContent }: HTMLElement): string => `${tagName} ${textContent}`

/** @returns opens the menu that is open */
function keepMenu(root: Element): () => void {
  let menu = [...root.querySelectorAll('[popover]')].find((one) => one.matches(':popover-open'))?.id
  const note = ({ target, newState }: ToggleEvent): void => {
    const { id, popover } = target as HTMLElement
    if (popover !== null) menu = newState === 'open' ? id : undefined
  }
  // The event does not bubble.
  root.addEventListener('toggle', note as EventListener, true)
  return () => {
    root.removeEventListener('toggle', note as EventListener, true)
    if (menu !== undefined) document.getElementById(menu)?.showPopover()
  }
}

/** The server draws each choice empty: one with a value was changed by a person. */
function select(stop: HTMLElement, same: HTMLElement): void {
  if (!(stop instanceof HTMLSelectElement && same instanceof HTMLSelectElement) || stop.value === '') return
  same.value = stop.value
  same.dispatchEvent(new Event('change', { bubbles: true }))
}

function unfold(stop: HTMLElement, same: HTMLElement): void {
  const [before, now] = [stop.parentElement, same.parentElement]
  if (before instanceof HTMLDetailsElement && now instanceof HTMLDetailsElement) now.open = before.open
}

function type(stop: HTMLElement, same: HTMLElement): void {
  if (!(stop instanceof HTMLInputElement) || stop.value === '') return
  // React notices a value only if it does not go through React's own setter.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(same, stop.value)
  same.dispatchEvent(new Event('input', { bubbles: true }))
}
