import { type ReactNode, useId, useRef, useState } from 'react'
import styles from './copy-field.module.css'
import { words } from '../text/text.ts'

interface CopyFieldProps {
  label: string
  value: string
  /** Beside the button. */
  children?: ReactNode
}

/** Shows a text and copies it. Where the browser does not, the text is selected, and a person copies it. */
export function CopyField({ label, value, children }: CopyFieldProps) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [isCopied, setCopied] = useState<boolean>()
  const t = words().guide
  // Asynchronous, because at an address of http a browser has no clipboard.
  const copy = async (): Promise<void> => navigator.clipboard.writeText(value)
  const press = (): void => {
    field.current?.select()
    copy().then(
      () => setCopied(true),
      () => setCopied(false),
    )
  }
  return (
    <div className={styles.copy}>
      <label htmlFor={id}>{label}</label>
      <input ref={field} id={id} readOnly value={value} onFocus={({ target }) => target.select()} />
      <button type="button" aria-describedby={id} onClick={press}>
        {t.copy}
      </button>
      {children}
      <output>{isCopied === undefined ? '' : isCopied ? t.copied : t.notCopied}</output>
    </div>
  )
}
