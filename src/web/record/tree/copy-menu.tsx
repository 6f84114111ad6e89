import { type KeyboardEvent, type RefObject, type ToggleEvent, useEffect, useState } from 'react'
import { jsonOf } from '../json-text.ts'
import { cut } from '../value.ts'
import styles from './tree.module.css'
import { words } from '../../text/text.ts'

const LONGEST_PATH = 120
const SHOWN_MS = 4000

/** The row whose menu is open. */
export interface OfRow {
  path: string
  value: unknown
}

interface CopyMenuProps {
  id: string
  of: OfRow | undefined
  /** The button that opened it. */
  at: RefObject<HTMLElement | null>
}

/** Copies a value or its path. Copying costs no request. */
export function CopyMenu({ id, of, at }: CopyMenuProps) {
  const t = words().record
  const [done, copy] = useCopy()
  const item = { type: 'button', role: 'menuitem', tabIndex: -1, popoverTarget: id } as const
  const onBeforeToggle = ({ currentTarget, newState }: ToggleEvent<HTMLElement>): void => {
    if (newState === 'open' && at.current) putBelow(currentTarget, at.current)
  }
  return (
    <>
      <div
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        className={styles.menu}
        aria-label={t.copy}
        onBeforeToggle={onBeforeToggle}
        onKeyDown={onKeyDown}
      >
        <button
          {...item}
          ref={focusFirst}
          popoverTargetAction="hide"
          onClick={() => void copy('value', textOf(of?.value))}
        >
          {t.copyValue}
        </button>
        <button {...item} popoverTargetAction="hide" onClick={() => void copy('path', of?.path ?? '')}>
          {t.copyPath} <code dir="ltr">{cut(of?.path ?? '', LONGEST_PATH)}</code>
        </button>
      </div>
      <output className={styles.copied}>{done && <span>{t.copied[done]}</span>}</output>
    </>
  )
}

type Done = 'value' | 'path' | 'refused'

/** The result is shown for a while. */
function useCopy(): [done: Done | undefined, copy: (what: Done, text: string) => Promise<void>] {
  const [done, setDone] = useState<{ what: Done }>()
  useEffect(() => {
    if (done === undefined) return undefined
    const timer = setTimeout(() => setDone(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [done])
  const copy = (what: Done, text: string): Promise<void> =>
    // Asynchronous, because at an address of http a browser has no clipboard.
    (async () => navigator.clipboard.writeText(text))().then(
      () => setDone({ what }),
      () => setDone({ what: 'refused' }),
    )
  return [done?.what, copy]
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : jsonOf(value))

const ROOM_PX = 120

/** Below the button, or above it at the end of the window. It scrolls with the page. */
function putBelow({ style }: HTMLElement, button: HTMLElement): void {
  const { top, bottom, right } = button.getBoundingClientRect()
  const isAbove = bottom + ROOM_PX > innerHeight
  style.top = `${(isAbove ? top : bottom) + scrollY}px`
  style.right = `${document.documentElement.clientWidth - right}px`
  style.translate = isAbove ? '0 -100%' : ''
}

/** The browser gives it the focus when the menu opens. The property of React would do so at once. */
const focusFirst = (item: HTMLElement | null): void => item?.setAttribute('autofocus', '')

function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
  const { key, currentTarget } = event
  // The focus returns to the row, and Tab goes on from there.
  if (key === 'Tab') currentTarget.hidePopover()
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return
  event.preventDefault()
  const items = [...currentTarget.querySelectorAll('button')]
  items.find((item) => item !== document.activeElement)?.focus()
}
