import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { MOST_NAME_LENGTH, nameFault, trimmedName } from '../../contract/chosen-name.ts'
import { coarseParts } from '../../contract/coarse-name.ts'
import data from '../components/data.module.css'
import { Notice } from '../components/notice.tsx'
import type { FreeWork } from '../lib/free-work.ts'
import { words } from '../text/text.ts'
import { putBrowserName } from './queries.ts'
import styles from './sessions.module.css'

interface NameFormProps {
  browser: string
  naming: FreeWork
  close: () => void
}

export function NameForm({ browser, naming, close }: NameFormProps) {
  const { field, fault, submit } = useNameField(naming)
  const id = useId()
  const t = words().sessions.name
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
  const { saved, removed } = words().sessions.name
  return name === '' ? removed : saved(name)
}
