import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { coarseParts, MOST_NAME_LENGTH, nameFault, trimmedName } from '../../contract/chosen-name.ts'
import type { SignedIn } from '../../contract/session.ts'
import { Field, Form, Submit, typedIn } from '../components/form.tsx'
import { type Free, useFree } from '../components/use-free.ts'
import { words } from '../text/text.ts'
import { ownSessionsQuery, putBrowserName } from './queries.ts'

/** Names this browser in its row of the list. The button that opens the field gets the focus back. */
export function BrowserName({ browser, own }: { browser: string; own: SignedIn }) {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const close = (): void => {
    setOpen(false)
    opener.current?.focus()
  }
  const naming = useFree(putBrowserName, { changes: [ownSessionsQuery(own).queryKey], onDone: close })
  const t = words().sessions.name
  const name = naming.done?.of
  return (
    <div className="stack tight">
      <button ref={opener} type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t.open}
      </button>
      <output className={name === undefined ? 'unseen' : 'quiet'}>
        {name === undefined ? '' : name === '' ? t.removed : t.saved(name)}
      </output>
      {isOpen && <NameForm browser={browser} naming={naming} close={close} />}
    </div>
  )
}

interface NameFormProps {
  /** The present name. */
  browser: string
  naming: Free<string, void>
  close: () => void
}

function NameForm({ browser, naming, close }: NameFormProps) {
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
        <div className="row">
          <Submit>{t.save}</Submit>
          <button type="button" onClick={close}>
            {t.cancel}
          </button>
        </div>
      </Form>
    </div>
  )
}

/** What was typed, or what is wrong with it. */
export function nameIn(typed: FormData) {
  const value = trimmedName(typedIn(typed, 'name'))
  const fault = nameFault(value)
  if (fault === undefined) return { value }
  return { errors: { name: () => words().sessions.name.faults[fault](MOST_NAME_LENGTH) } }
}
