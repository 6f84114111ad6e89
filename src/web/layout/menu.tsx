import type { FocusEvent, KeyboardEvent, MouseEvent, ReactNode } from 'react'
import styles from './menu.module.css'
import { PATHS, type SidePageName } from '../../contract/page.ts'
import { followLink, usePathname } from '../lib/router.ts'

interface MenuProps {
  /** The id of the menu; its button has the name as its class. */
  id: 'account' | 'organization'
  /** Names the button, and the menu's links. */
  label: string
  /** The content of the button. */
  button: ReactNode
  children: ReactNode
}

/** The browser opens and closes it, also before the script is there. */
export function Menu({ id, label, button, children }: MenuProps) {
  return (
    <>
      <button
        type="button"
        id={`${id}-button`}
        className={styles[`${id}Button`]}
        popoverTarget={`${id}-menu`}
        aria-label={label}
      >
        {button}
      </button>
      <div
        popover="auto"
        id={`${id}-menu`}
        className={styles.menu}
        onBlur={closeBehindFocus}
        onKeyDownCapture={closeBehindTab}
      >
        {children}
      </div>
    </>
  )
}

/** An open menu would hide what has the focus. Its own button closes it by itself when it is clicked. */
function closeBehindFocus({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>): void {
  if (relatedTarget === null || currentTarget.contains(relatedTarget)) return
  if (relatedTarget.id !== currentTarget.id.replace('menu', 'button')) currentTarget.hidePopover()
}

/** Also when it goes back to that button, or out of the page. The browser moves it after the event. */
function closeBehindTab({ key, currentTarget }: KeyboardEvent<HTMLElement>): void {
  const close = (): void => {
    if (!currentTarget.contains(document.activeElement)) currentTarget.hidePopover()
  }
  if (key === 'Tab') setTimeout(close)
}

export function MenuLink({ to, children }: { to: SidePageName; children: string }) {
  const isCurrent = usePathname() === PATHS[to]
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
    followLink(event)
  }
  return (
    <li>
      <a href={PATHS[to]} aria-current={isCurrent ? 'page' : undefined} onClick={follow}>
        {children}
      </a>
    </li>
  )
}
