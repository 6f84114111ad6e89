import { type InputHTMLAttributes, type ReactNode, useId, useRef } from 'react'
import type { Problem } from '../../contract/problem.ts'
import { MOST_COUNT, MOST_READINGS, type Reading, type ReadingRequest } from '../../contract/readings.ts'
import { Notice } from '../components/notice.tsx'
import { Sentence } from '../text/sentence.tsx'
import { text, words } from '../text/text.ts'
import type { FieldErrors } from './fields.ts'
import styles from './readings.module.css'
import { type OnSaved, type StoreReading, useReadingForm } from './use-form.ts'

interface ReadingFormProps {
  planPage: string
  /** A count would help now. */
  isWanted: boolean
  onSaved: OnSaved
  /** Beside the button: the age of the newest count. */
  age: ReactNode
  /** Below the field for an earlier time. */
  history: ReactNode
}

/** If the number is lower than an earlier one, the form asks before it stores it. */
export function ReadingForm({ planPage, isWanted, onSaved, age, history }: ReadingFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const { errors, problem, lower, busy, submit, store, reset } = useReadingForm(onSaved, form)
  const id = useId()
  const t = words().readings
  return (
    <form ref={form} className={styles.form} noValidate onSubmit={submit} onInput={() => lower && reset()}>
      <Says planPage={planPage} />
      <Input
        label={t.count}
        isLabelUnseen
        errorId={errors.count && `${id}-count`}
        input={{ name: 'count', inputMode: 'numeric', autoComplete: 'off', maxLength: 12 }}
      />
      <button
        type="submit"
        data-kind={isWanted ? 'primary' : undefined}
        aria-disabled={busy}
        aria-busy={busy}
      >
        {t.save}
      </button>
      {age}
      {errors.count && <Fault id={`${id}-count`} words={t.errors.count(MOST_COUNT)} />}
      {problem && <Notice problem={problem} words={readingProblemWords(problem)} />}
      {lower && <Lower {...lower} store={store} />}
      <details className={styles.more} open={errors.read_at !== undefined || undefined}>
        <summary>{t.more}</summary>
        <Input
          label={t.readAt}
          errorId={errors.read_at && `${id}-read-at`}
          input={{ name: 'read_at', type: 'datetime-local' }}
        />
        {errors.read_at && <Fault id={`${id}-read-at`} words={t.errors.readAt} />}
        {history}
      </details>
    </form>
  )
}

/** "Your plan page says used so far". The page of a browser that is not known yet has no address. */
function Says({ planPage }: { planPage: string }) {
  const t = words().readings
  return (
    <p className={styles.says}>
      <Sentence of={t.usedSoFar}>
        <a href={planPage || undefined} target="_blank" rel="noopener noreferrer">
          {t.planPage}
        </a>
      </Sentence>
    </p>
  )
}

function readingProblemWords({ code, fault }: Problem) {
  if (fault !== 'too_many_readings') return undefined
  return { ...text().problem[code], message: words().readings.tooMany(MOST_READINGS) }
}

interface InputProps {
  label: string
  isLabelUnseen?: boolean
  /** The id of the words about the fault. The form shows them below the row, so that Save does not move. */
  errorId: string | undefined
  input: InputHTMLAttributes<HTMLInputElement> & { name: keyof FieldErrors }
}

function Input({ label, isLabelUnseen, errorId, input }: InputProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={isLabelUnseen ? 'unseen' : undefined}>
        {label}
      </label>
      <input {...input} id={id} aria-invalid={errorId !== undefined} aria-describedby={errorId} />
    </div>
  )
}

const Fault = ({ id, words }: { id: string; words: string }) => (
  <p id={id} className={styles.error}>
    {words}
  </p>
)

interface LowerProps {
  request: ReadingRequest
  earlier: readonly Reading[]
  store: StoreReading
}

function Lower({ request, earlier, store }: LowerProps) {
  const highest = Math.max(...earlier.map(({ count }) => count))
  const t = words().readings
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
