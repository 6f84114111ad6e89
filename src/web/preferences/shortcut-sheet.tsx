import { useId, useLayoutEffect, useRef } from 'react'
import styles from './footer.module.css'
import { PAGE_KEYS } from './page-keys.ts'
import { choose, usePreferences } from './preferences.ts'
import { useUi } from '../lib/ui.ts'
import { text } from '../text/text.ts'

const onClose = (): void => useUi.setState({ sheet: undefined })

/** The browser returns the focus when the dialog closes. */
export function ShortcutSheet() {
  const t = text().shortcuts
  const title = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const close = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    // A menu closes under a dialog, and a button in it could not get the focus back.
    document.activeElement?.closest<HTMLElement>('[popover]')?.hidePopover()
    if (!dialog.current?.open) dialog.current?.showModal()
    close.current?.focus()
  }, [])
  return (
    <dialog ref={dialog} className={styles.sheet} aria-labelledby={title} onClose={onClose}>
      <h2 id={title}>{t.title}</h2>
      <p>{t.lead}</p>
      <Keys />
      <OnOff />
      <button type="button" ref={close} onClick={() => dialog.current?.close()}>
        {t.close}
      </button>
    </dialog>
  )
}

const KEY_ROWS = [
  ...PAGE_KEYS.map(([second, name]) => [name, 'G', second.toUpperCase()] as const),
  ['refresh', 'R'],
  ['sheet', '?'],
  ['close', 'Esc'],
] as const

function Keys() {
  const t = text().shortcuts
  return (
    <dl className={styles.keys}>
      {KEY_ROWS.map(([name, first, second]) => (
        <div key={name}>
          <dt>
            <kbd>{first}</kbd>
            {second && (
              <>
                {' '}
                {t.next} <kbd>{second}</kbd>
              </>
            )}
          </dt>
          <dd>{t.keys[name]}</dd>
        </div>
      ))}
    </dl>
  )
}

function OnOff() {
  const isOff = usePreferences(({ shortcuts }) => shortcuts === 'off')
  return (
    <label className={styles.check}>
      <input
        type="checkbox"
        checked={!isOff}
        onChange={({ target }) => choose({ shortcuts: target.checked ? undefined : 'off' })}
      />
      {text().shortcuts.on}
    </label>
  )
}
