/** A form whose fields keep what a person types: React draws nothing for a letter. */
import {
  type ComponentProps,
  createContext,
  type FormEvent,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import type { Problem } from '../../contract/problem.ts'
import { Notice } from './notice.tsx'
import type { Free } from './use-free.ts'

/** By the name of the field, as words that are made when they are drawn: languages change. */
export type FieldErrors = Readonly<Record<string, () => string>>

interface FormProps<V, D> {
  /** What was typed, or what is wrong with it. */
  read: (typed: FormData) => { value: V } | { errors: FieldErrors }
  action: Free<V, D>
  /** What a refusal of the server says about fields. All else is a notice. */
  refused?: (problem: Problem) => FieldErrors | undefined
  /** In place of the usual notice, unless it is `undefined`. */
  renderNotice?: (problem: Problem) => ReactNode
  /** Empties the texts after a success. */
  resets?: boolean
  className?: string | undefined
  children: ReactNode
}

const Around = createContext<{ errors: FieldErrors; busy: boolean }>({ errors: {}, busy: false })

/** Sends once. The first wrong field gets the focus, and loses its error when somebody types in it. */
export function Form<V, D>({ renderNotice, className, children, ...props }: FormProps<V, D>) {
  const { action } = props
  const { form, errors, isRefused, submit, forgive } = useForm(props)
  const { busy, problem } = action
  const around = useMemo(() => ({ errors, busy }), [errors, busy])
  const own = problem && renderNotice?.(problem)
  return (
    // Without the script, nothing that is typed gets into an address.
    <form
      ref={form}
      method="post"
      className={className ?? 'form'}
      noValidate
      onSubmit={submit}
      onInput={forgive}
    >
      <Around value={around}>{children}</Around>
      {problem && !isRefused && (own === undefined ? <Notice problem={problem} again={action.again} /> : own)}
    </form>
  )
}

type UseFormProps<V, D> = Pick<FormProps<V, D>, 'read' | 'action' | 'refused' | 'resets'>

function useForm<V, D>({ read, action, refused, resets }: UseFormProps<V, D>) {
  const form = useRef<HTMLFormElement>(null)
  const [wrong, setWrong] = useState<FieldErrors>({})
  const { busy, problem, done } = action
  const ofServer = problem ? refused?.(problem) : undefined
  const isRefused = ofServer !== undefined
  const isEmptied = resets === true && done !== undefined
  useEffect(() => {
    if (problem && isRefused) focusWrong(form.current)
  }, [problem, isRefused])
  useEffect(() => {
    if (!isEmptied) return
    // A reset would replace the text of every output, and React would lose it.
    for (const field of form.current?.querySelectorAll('input') ?? []) field.value = field.defaultValue
  }, [isEmptied])
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (busy) return
    const typed = read(new FormData(event.currentTarget))
    flushSync(() => setWrong('errors' in typed ? typed.errors : {}))
    if ('value' in typed) return action.run(typed.value)
    action.forget()
    focusWrong(form.current)
  }
  const forgive = ({ target }: FormEvent): void => {
    const { [(target as HTMLInputElement).name]: forgiven, ...others } = wrong
    if (forgiven) setWrong(others)
    if (problem) action.forget()
  }
  return { form, errors: ofServer ?? wrong, isRefused, submit, forgive }
}

/** What was typed in a field. */
export function typedIn(data: FormData, name: string): string {
  const value = data.get(name)
  return typeof value === 'string' ? value : ''
}

/** A field in a folded part takes no focus. */
function focusWrong(form: HTMLFormElement | null): void {
  const field = form?.querySelector<HTMLElement>('[aria-invalid=true]')
  field?.closest('details')?.setAttribute('open', '')
  field?.focus()
}

interface FieldProps extends ComponentProps<'input'> {
  name: string
  label: string
  isLabelUnseen?: boolean
  /** In the place of an error. */
  hint?: ReactNode
  /** The values of a list to choose from, in place of a text. */
  choices?: readonly (string | number)[]
  /** Beside the field. */
  children?: ReactNode
}

export function Field({ label, isLabelUnseen, hint, className, children, ...input }: FieldProps) {
  const own = useId()
  const { id = `${own}-field` } = input
  const error = useContext(Around).errors[input.name]
  const about = error?.() ?? hint
  return (
    <div className={className ?? 'field'}>
      <label htmlFor={id} className={isLabelUnseen ? 'unseen' : undefined}>
        {label}
      </label>
      <Control
        {...input}
        id={id}
        aria-invalid={!!error}
        aria-describedby={about === undefined ? undefined : own}
      />
      {children}
      {about !== undefined && (
        <p id={own} className={error ? 'fault' : 'quiet'} aria-live={error ? undefined : 'polite'}>
          {about}
        </p>
      )}
    </div>
  )
}

function Control({ choices, ...input }: Pick<FieldProps, 'choices'> & ComponentProps<'input'>) {
  if (!choices) return <input autoComplete="off" {...input} />
  return (
    <select id={input.id} name={input.name} defaultValue={input.defaultValue}>
      {choices.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </select>
  )
}

interface SubmitProps {
  isPrimary?: boolean
  children: string
}

export function Submit({ isPrimary = true, children }: SubmitProps) {
  const { busy } = useContext(Around)
  return (
    <button type="submit" data-kind={isPrimary ? 'primary' : undefined} aria-disabled={busy} aria-busy={busy}>
      {children}
    </button>
  )
}
