/** Each follows a link or moves the focus. None presses a button, because that may cost a request. */
import { useEffect } from 'react'
import { late } from '../lib/late.ts'
import { PAGE_KEYS } from './page-keys.ts'
import { usePreferences } from './preferences.ts'
import { useUi } from '../lib/ui.ts'

/** The second key counts within this time. */
const SEQUENCE_MS = 1500

/** True if the key is meant for a field, a dialog or the browser (WCAG 2.1.4). */
const isTaken = ({
  ctrlKey,
  metaKey,
  altKey,
  repeat,
  isComposing,
  defaultPrevented,
  target,
}: KeyboardEvent) =>
  ctrlKey ||
  metaKey ||
  altKey ||
  repeat ||
  isComposing ||
  defaultPrevented ||
  document.querySelector('dialog[open]') !== null ||
  (target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null)

const find = (selector: string) => document.querySelector<HTMLElement>(selector)

/** Loads the list of the shortcuts, and shows it. If it cannot be loaded, the next press tries again. */
export const openShortcuts = (): void =>
  void late(import('./shortcut-sheet.tsx')).then(
    ({ ShortcutSheet }) => useUi.setState({ sheet: ShortcutSheet }),
    () => {},
  )

export function useShortcuts(): void {
  const isOff = usePreferences(({ shortcuts }) => shortcuts === 'off')
  useEffect(() => {
    if (isOff) return undefined
    let untilMs = 0
    const onKey = (event: KeyboardEvent): void => {
      if (isTaken(event)) return
      const { key, timeStamp } = event
      const [, , href] = (timeStamp < untilMs && PAGE_KEYS.find(([second]) => second === key)) || []
      untilMs = key === 'g' ? timeStamp + SEQUENCE_MS : 0
      if (href !== undefined) document.querySelector<HTMLElement>(`header a[href="${href}"]`)?.click()
      else if (key === 'r') find('[data-shortcut="r"]')?.focus()
      else if (key === '?') openShortcuts()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isOff])
}
