import { type FormEvent, type InputHTMLAttributes, type RefObject, useId, useRef, useState } from 'react'
import { asProblem, type Problem } from '../../contract/problem.ts'
import { MOST_COUNT, MOST_READINGS, type Reading, type ReadingRequest } from '../../contract/readings.ts'
import { Notice } from '../components/notice.tsx'
import { contradicted, type FieldErrors, refusedFields, requestOf } from './fields.ts'
import styles from './readings.module.css'
import { deleteReading, postReading } from './queries.ts'
import { signedInText, text } from '../text/text.ts'

interface ReadingFormProps {
  readings: readonly Reading[]
  onSaved: (sentence: string) => Promise<void>
}

/** If the number is lower than an earlier one, the form asks before it stores it. */
export function ReadingForm({ readings, onSaved }: ReadingFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const t = signedInText().readings
  const { errors, problem, lower, busy, submit, store, reset } = useReadingForm(onSaved, form)
  return (
    <form ref={form} className={styles.form} noValidate onSubmit={submit} onInput={() => lower && reset()}>
      <LabelledInput
        label={t.count}
        error={errors.count && t.errors.count(MOST_COUNT)}
        input={{ name: 'count', inputMode: 'numeric', autoComplete: 'off', maxLength: 12 }}
      />
      <details open={errors.read_at !== undefined || undefined}>
        <summary>{t.earlier}</summary>
        <LabelledInput
          label={t.readAt}
          error={errors.read_at && t.errors.readAt}
          input={{ name: 'read_at', type: 'datetime-local' }}
        />
      </details>
      {problem && <Notice problem={problem} words={readingProblemWords(problem)} />}
      {lower ? (
        <Lower request={lower} earlier={contradicted(readings, lower)} store={store} />
      ) : (
        <button type="submit" data-kind="primary" aria-disabled={busy} aria-busy={busy}>
          {t.save}
        </button>
      )}
    </form>
  )
}

function readingProblemWords({ code, fault }: Problem) {
  if (fault !== 'too_many_readings') return undefined
  return { ...text().problem[code], message: signedInText().readings.tooMany(MOST_READINGS) }
}

interface LabelledInputProps {
  label: string
  error: string | undefined
  input: InputHTMLAttributes<HTMLInputElement> & { name: keyof FieldErrors }
}

function LabelledInput({ label, error, input }: LabelledInputProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        aria-invalid={error !== undefined}
        aria-describedby={error && `${id}-error`}
      />
      {error && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  )
}

type Store = (request: ReadingRequest, without?: readonly Reading[]) => void

interface LowerProps {
  request: ReadingRequest
  earlier: readonly Reading[]
  store: Store
}

function Lower({ request, earlier, store }: LowerProps) {
  const highest = Math.max(...earlier.map(({ count }) => count))
  const t = signedInText().readings
  return (
    <fieldset className={styles.lower}>
      <legend>{t.question}</legend>
      <p>{earlier.length > 0 ? t.lower(request.count, highest) : t.lowerThanUnknown(request.count)}</p>
      <div className={styles.choices}>
        <button type="button" onClick={() => store({ ...request, month_was_reset: true })}>
          {t.wasReset}
        </button>
        {earlier.length > 0 && (
          <button type="button" onClick={() => store(request, earlier)}>
            {t.correct}
          </button>
        )}
      </div>
    </fieldset>
  )
}

interface FormState {
  busy: boolean
  errors: FieldErrors
  problem?: Problem
  /** Refused because an earlier reading was higher. */
  lower?: ReadingRequest
}

const IDLE: FormState = { busy: false, errors: {} }

function refusedState(error: unknown, request: ReadingRequest): FormState {
  const problem = asProblem(error)
  if (problem.code === 'lower_reading') return { ...IDLE, lower: request }
  const errors = refusedFields(problem)
  return Object.keys(errors).length > 0 ? { ...IDLE, errors } : { ...IDLE, problem }
}

function useReadingForm(onSaved: ReadingFormProps['onSaved'], form: RefObject<HTMLFormElement | null>) {
  const [state, setState] = useState(IDLE)
  const field = (name: keyof FieldErrors) => form.current?.querySelector<HTMLInputElement>(`[name="${name}"]`)
  const show = (next: FormState): void => {
    setState(next)
    if (next.errors.count) field('count')?.focus()
    else if (next.errors.read_at) field('read_at')?.focus()
  }
  const send = async (request: ReadingRequest, without: readonly Reading[]): Promise<void> => {
    show({ ...IDLE, busy: true })
    try {
      for (const { id } of without) await deleteReading(id)
      await postReading(request)
      form.current?.reset()
      await onSaved(signedInText().readings.saved(request.count))
      show(IDLE)
    } catch (error) {
      show(refusedState(error, request))
    }
  }
  const store: Store = (request, without = []) => {
    if (!state.busy) void send(request, without)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const typed = { count: field('count')?.value ?? '', read_at: field('read_at')?.value ?? '' }
    const { request, errors } = requestOf(typed)
    if (request) store(request)
    else show({ ...IDLE, errors })
  }
  return { ...state, submit, store, reset: () => setState(IDLE) }
}
