import { type ReactNode, useId, useRef, useState } from 'react'
import { words } from '../text/text.ts'

interface CopyFieldProps {
  label: string
  value: string
  /** Beside the button. */
  children?: ReactNode
}

/** Shows a text and copies it. */
export function CopyField({ label, value, children }: CopyFieldProps) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  return (
    <div className="row copy">
      <label htmlFor={id}>{label}</label>
      <input ref={field} id={id} readOnly value={value} onFocus={({ target }) => target.select()} />
      <CopyButton value={value} describedBy={id} onPress={() => field.current?.select()}>
        {children}
      </CopyButton>
    </div>
  )
}

interface CopyButtonProps {
  value: string
  describedBy?: string
  /** Selects the text: where the browser does not copy it, a person does. */
  onPress?: () => void
  children?: ReactNode
}

export function CopyButton({ value, describedBy, onPress, children }: CopyButtonProps) {
  const [pressed, setPressed] = useState<{ value: string; isCopied: boolean }>()
  const t = words().copy
  // Asynchronous, because at an address of http a browser has no clipboard.
  const copy = async (): Promise<void> => navigator.clipboard.writeText(value)
  const press = (): void => {
    onPress?.()
    copy().then(
      () => setPressed({ value, isCopied: true }),
      () => setPressed({ value, isCopied: false }),
    )
  }
  return (
    <>
      <button type="button" aria-describedby={describedBy} onClick={press}>
        {t.label}
      </button>
      {children}
      <output>{pressed?.value === value && (pressed.isCopied ? t.copied : t.notCopied)}</output>
    </>
  )
}
