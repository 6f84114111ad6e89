/** Prepares all that the first screen needs, so that it takes the place of the page that the server sent in one step. */
import { CALLBACK_PATH } from '../../contract/authorize.ts'
import { loadSignedIn } from './lazy-screens.ts'
import { readQuota } from '../quota/quota.ts'
import { askSession, currentSession } from '../session/session.ts'
import { markedSignOut } from '../session/sign-out-mark.ts'
import { chosenLanguage } from '../preferences/storage.ts'
import { loadLanguage } from '../text/text.ts'

/** Rejects where the texts are not reached. */
export async function prepareFirstScreen(): Promise<void> {
  const { page, known, sheets = '' } = document.documentElement.dataset
  for (const href of sheets.split(' ')) if (href !== '') noteSheet(href)
  if (page === 'page' || page === 'side' || location.pathname === CALLBACK_PATH) void loadLate()
  const isAsked = location.pathname !== CALLBACK_PATH && markedSignOut() === undefined
  await Promise.all([loadLanguage(chosenLanguage()), isAsked && askSession()])
  // What the server has drawn is there already, and is not taken away before its like is there.
  if (currentSession()?.signed_in) await Promise.all([loadLate(), known !== undefined && readSoon()])
  // Of no session that begins later.
  else globalThis.plimsollEarly = undefined
}

/** The styles of the sheet are in the document. The loader of a late module adds no sheet that it finds, and this one loads nothing. */
function noteSheet(href: string): void {
  const link = document.createElement('link')
  link.setAttribute('disabled', '')
  link.rel = 'stylesheet'
  link.setAttribute('href', href)
  document.head.append(link)
}

/** The page takes no press until it is drawn, so a server that is slow does not hold it up. */
const readSoon = (): Promise<void> =>
  Promise.race([readQuota(), new Promise<void>((resolve) => setTimeout(resolve, WAITS_MS))])
const WAITS_MS = 1000

/** Where it fails the screen itself shows that. */
const loadLate = (): Promise<void> => loadSignedIn().catch(() => {})

/** What the keyboard stops at, in the order of the page. */
const STOPS = 'a, button, input, select, summary'

/** What a person types, selects and unfolds, and where the focus is, until the screen is drawn. @returns does the same there */
export function keepTyped(root: Element): () => void {
  const stops = [...root.querySelectorAll<HTMLElement>(STOPS)]
  let focused = document.activeElement
  const follow = ({ target }: Event): void => {
    focused = target as Element
  }
  root.addEventListener('focusin', follow)
  return () => {
    root.removeEventListener('focusin', follow)
    const drawn = [...root.querySelectorAll<HTMLElement>(STOPS)]
    for (const [at, stop] of stops.entries()) {
      const same = stop.id === '' ? drawn[at] : document.getElementById(stop.id)
      if (!same || same.tagName !== stop.tagName || same.textContent !== stop.textContent) continue
      if (stop instanceof HTMLInputElement && stop.value !== '') type(stop.id, stop.value)
      select(stop, same)
      unfold(stop, same)
      if (stop === focused && !stop.isConnected) same.focus()
    }
  }
}

/** The server draws each choice as one that was not made. */
function select(stop: HTMLElement, same: HTMLElement): void {
  if (!(stop instanceof HTMLSelectElement && same instanceof HTMLSelectElement) || stop.value === '') return
  same.value = stop.value
  same.dispatchEvent(new Event('change', { bubbles: true }))
}

function unfold(stop: HTMLElement, same: HTMLElement): void {
  const [before, now] = [stop.parentElement, same.parentElement]
  if (before instanceof HTMLDetailsElement && now instanceof HTMLDetailsElement) now.open = before.open
}

function type(id: string, value: string): void {
  const field = document.getElementById(id)
  if (!(field instanceof HTMLInputElement)) return
  // React sees a value only where it is set past its own setter.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
