import {
  type FormEvent,
  type InputHTMLAttributes,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { asProblem, type Problem, type ProblemCode } from '../../contract/problem.ts'
import styles from './sign-in.module.css'
import { text } from '../text/text.ts'

/** Caused by the typed text: they focus the field, and all others the heading of the notice. */
const OF_FIELD: readonly ProblemCode[] = ['key_rejected', 'invalid_organization_id']
export const isOfField = ({ code }: Problem): boolean => OF_FIELD.includes(code)

export interface Reports {
  onProblem: (problem: Problem | undefined) => void
}

interface OneFieldProps extends Reports {
  label: string
  input: InputHTMLAttributes<HTMLInputElement> & { id: string }
  initial: string
  /** Shown in the place of an error, so that nothing moves. */
  hint: (typed: string) => ReactNode
  /** Empty if the text can be sent. */
  errorOf: (typed: string) => string
  button: { kind: string | undefined; label: string; busy: string }
  send: (typed: string) => Promise<void>
  /** Shown below the button. */
  note?: string
}

/** Sends once, however often its button is pressed. */
export function OneField({ label, input, initial, hint, button, note, ...rest }: OneFieldProps) {
  const { typed, type, error, busy, submit, field } = useOneField(initial, rest)
  const [hintId, errorId] = [useId(), useId()]
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <label htmlFor={input.id}>{label}</label>
      <input
        {...input}
        ref={field}
        value={typed}
        onChange={(event) => type(event.target.value)}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={error !== ''}
        aria-describedby={error ? errorId : hintId}
      />
      {error ? (
        <p id={errorId} className={styles.error}>
          {error}
        </p>
      ) : (
        <p id={hintId} className={styles.hint} aria-live="polite">
          {hint(typed)}
        </p>
      )}
      <button type="submit" data-kind={button.kind} aria-disabled={busy} aria-busy={busy}>
        {busy ? button.busy : button.label}
      </button>
      {note && <p className={styles.note}>{note}</p>}
    </form>
  )
}

function useOneField(
  initial: string,
  { errorOf, send, onProblem }: Pick<OneFieldProps, 'errorOf' | 'send' | 'onProblem'>,
) {
  const [typed, setTyped] = useState(initial)
  // The code, because the words depend on the language in use.
  const [fault, setFault] = useState<'typed' | ProblemCode>()
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  // Before the script was there a person may have typed into what the server drew.
  useLayoutEffect(() => setTyped((drawn) => field.current?.value ?? drawn), [])
  const start = async (): Promise<void> => {
    onProblem(undefined)
    setBusy(true)
    try {
      await send(typed)
    } catch (cause) {
      const problem = asProblem(cause)
      setBusy(false)
      onProblem(problem)
      if (!isOfField(problem)) return
      // The notice may be out of sight, so the field shows the error too.
      setFault(problem.code)
      field.current?.focus()
    }
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (busy) return
    const isRight = errorOf(typed) === ''
    setFault(isRight ? undefined : 'typed')
    if (isRight) void start()
    else field.current?.focus()
  }
  const type = (value: string): void => {
    setTyped(value)
    setFault(undefined)
  }
  const ofTyped = fault === 'typed' ? errorOf(typed) : ''
  const error = fault === undefined || fault === 'typed' ? ofTyped : text().problem[fault].title
  return { typed, type, error, busy, submit, field }
}
