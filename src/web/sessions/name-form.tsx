import { type KeyboardEvent, useEffect, useRef } from 'react'
import { MOST_NAME_LENGTH, nameFault, trimmedName } from '../../contract/chosen-name.ts'
import { coarseParts } from '../../contract/coarse-name.ts'
import { Field, Form, Submit, typedIn } from '../components/form.tsx'
import type { Free } from '../components/use-free.ts'
import { words } from '../text/text.ts'
import styles from './sessions.module.css'

interface NameFormProps {
  /** The present name. */
  browser: string
  naming: Free<string, void>
  close: () => void
}

export function NameForm({ browser, naming, close }: NameFormProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.querySelector('input')?.focus(), [])
  const t = words().sessions.name
  const onKeyDown = ({ key, nativeEvent }: KeyboardEvent): void => {
    // In an input method, Escape ends the composition.
    if (key === 'Escape' && !nativeEvent.isComposing) close()
  }
  return (
    <div ref={place} onKeyDownCapture={onKeyDown}>
      <Form read={nameIn} action={naming}>
        <Field
          name="name"
          label={t.label}
          hint={t.hint}
          dir="auto"
          defaultValue={coarseParts(browser) === undefined ? browser : ''}
        />
        <div className={styles.actions}>
          <Submit>{t.save}</Submit>
          <button type="button" onClick={close}>
            {t.cancel}
          </button>
        </div>
      </Form>
    </div>
  )
}

function nameIn(typed: FormData) {
  const value = trimmedName(typedIn(typed, 'name'))
  const fault = nameFault(value)
  if (fault === undefined) return { value }
  return { errors: { name: () => words().sessions.name.faults[fault](MOST_NAME_LENGTH) } }
}
