import type { ReactNode } from 'react'
import { MOST_COUNT, MOST_READINGS, type ReadingRequest } from '../../contract/readings.ts'
import type { SignedIn } from '../../contract/session.ts'
import { typedNumber } from '../../contract/typed-number.ts'
import { Field, type FieldErrors, Form, Submit, typedIn } from '../components/form.tsx'
import { Notice } from '../components/notice.tsx'
import { Sentence } from '../text/sentence.tsx'
import { text, words } from '../text/text.ts'
import type { Storing } from './queries.ts'
import styles from './readings.module.css'

interface ReadingFormProps {
  session: SignedIn
  storing: Storing
  /** A count would help now. */
  isWanted: boolean
  /** Stands beside the button: the age of the newest count, and the earlier counts. */
  children: ReactNode
}

/** "Used so far, on your plan page". The page of a browser that is not known yet has no address. */
export function ReadingForm({ session, storing, isWanted, children }: ReadingFormProps) {
  const t = words().readings
  return (
    <Form
      className={styles.form}
      read={entryIn}
      action={storing}
      renderNotice={(problem) => {
        if (problem.code === 'lower_reading') return <Lower storing={storing} />
        const message = problem.fault === 'too_many_readings' ? t.tooMany(MOST_READINGS) : undefined
        return message && <Notice problem={problem} words={{ ...text().problem[problem.code], message }} />
      }}
      resets
    >
      <p>
        <Sentence of={t.usedSoFar}>
          <a href={session.plan_page || undefined} target="_blank" rel="noopener noreferrer">
            {t.planPage}
          </a>
        </Sentence>
      </p>
      <Field
        className={styles.count}
        name="count"
        label={t.count}
        isLabelUnseen
        inputMode="numeric"
        maxLength={12}
      >
        <Submit isPrimary={isWanted}>{t.save}</Submit>
      </Field>
      {children}
    </Form>
  )
}

/** Asks before it stores a number that is lower than an earlier one. */
function Lower({ storing }: { storing: Storing }) {
  const { refused } = storing
  const t = words().readings
  if (!refused) return null
  return (
    <div className="notice" role="alert">
      <p>{t.lower(refused.count)}</p>
      <button type="button" onClick={() => storing.run({ ...refused, month_was_reset: true })}>
        {t.wasReset}
      </button>
    </div>
  )
}

export function entryIn(typed: FormData): { value: ReadingRequest } | { errors: FieldErrors } {
  const count = typedNumber(typedIn(typed, 'count'), { least: 0, most: MOST_COUNT })
  return count === undefined
    ? { errors: { count: () => words().readings.fault(MOST_COUNT) } }
    : { value: { count } }
}
