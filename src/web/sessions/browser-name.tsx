import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { coarseParts, MOST_NAME_LENGTH, nameFault, trimmedName } from '../../contract/browser-name.ts'
import data from '../components/data.module.css'
import { Notice } from '../components/notice.tsx'
import { type FreeWork, useFreeWork } from '../lib/free-work.ts'
import { sidePagesText } from '../text/text.ts'
import { putBrowserName } from './queries.ts'
import styles from './sessions.module.css'

interface BrowserNameProps {
  /** The present name. */
  browser: string
  /** Resolves when the list has the new name. */
  onNamed: () => Promise<unknown>
}

/** Names this browser in its row of the list. The button that opens the field gets the focus back. */
export function BrowserName({ browser, onNamed }: BrowserNameProps) {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const close = (): void => {
    setOpen(false)
    opener.current?.focus()
  }
  const naming = useFreeWork(async () => {
    await onNamed()
    close()
  })
  return (
    <div className={styles.naming}>
      <button
        ref={opener}
        type="button"
        aria-expanded={isOpen}
        onClick={isOpen ? close : () => setOpen(true)}
      >
        {sidePagesText().sessions.name.open}
      </button>
      <output className={naming.done === '' ? 'unseen' : data.quiet}>{naming.done}</output>
      {isOpen && <NameForm browser={browser} naming={naming} close={close} />}
    </div>
  )
}

interface NameFormProps {
  browser: string
  naming: FreeWork
  close: () => void
}

function NameForm({ browser, naming, close }: NameFormProps) {
  const { field, fault, submit } = useNameField(naming)
  const id = useId()
  const t = sidePagesText().sessions.name
  const onKeyDown = ({ key, nativeEvent }: KeyboardEvent): void => {
    // In an input method, Escape ends the composition.
    if (key === 'Escape' && !nativeEvent.isComposing) close()
  }
  return (
    <form className={styles.name} noValidate onSubmit={submit}>
      <label htmlFor={id}>{t.label}</label>
      <input
        ref={field}
        id={id}
        onKeyDown={onKeyDown}
        dir="auto"
        autoComplete="off"
        defaultValue={coarseParts(browser) === undefined ? browser : ''}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-about`}
      />
      <p id={`${id}-about`} className={fault ? styles.fault : data.quiet}>
        {fault ? t.faults[fault](MOST_NAME_LENGTH) : t.hint}
      </p>
      <div className={styles.actions}>
        <button type="submit" data-kind="primary" aria-disabled={naming.busy} onKeyDown={onKeyDown}>
          {t.save}
        </button>
        <button type="button" onClick={close} onKeyDown={onKeyDown}>
          {t.cancel}
        </button>
      </div>
      {naming.problem && <Notice problem={naming.problem} />}
    </form>
  )
}

function useNameField({ run }: FreeWork) {
  const field = useRef<HTMLInputElement>(null)
  const [fault, setFault] = useState<ReturnType<typeof nameFault>>()
  useEffect(() => field.current?.focus(), [])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const name = trimmedName(field.current?.value ?? '')
    const found = nameFault(name)
    setFault(found)
    if (found !== undefined) field.current?.focus()
    else
      void run(
        () => putBrowserName(name),
        () => doneWords(name),
      )
  }
  return { field, fault, submit }
}

function doneWords(name: string): string {
  const { saved, removed } = sidePagesText().sessions.name
  return name === '' ? removed : saved(name)
}
