import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Problem } from '../../contract/problem.ts'
import { MOST_COUNT, MOST_READINGS, type Reading, type ReadingRequest } from '../../contract/readings.ts'
import type { SignedIn } from '../../contract/session.ts'
import { typedNumber } from '../../contract/typed-number.ts'
import { Field, type FieldErrors, Form, Submit, typedIn } from '../components/form.tsx'
import { Notice } from '../components/notice.tsx'
import { Sentence } from '../text/sentence.tsx'
import { text, words } from '../text/text.ts'
import { type Entry, earlierQuery, type Storing } from './queries.ts'
import styles from './readings.module.css'

interface ReadingFormProps {
  session: SignedIn
  storing: Storing
  /** A count would help now. */
  isWanted: boolean
  /** Beside the button: the age of the newest count. */
  age: ReactNode
  /** Below the field for an earlier time. */
  history: ReactNode
}

/** If the number is lower than an earlier one, the form asks before it stores it. */
export function ReadingForm({ session, storing, isWanted, age, history }: ReadingFormProps) {
  const t = words().readings
  return (
    <Form
      className={styles.form}
      read={entryIn}
      action={storing}
      refused={refusedFields}
      renderNotice={(problem) => {
        if (problem.code === 'lower_reading') return <Lower session={session} storing={storing} />
        return problem.fault === 'too_many_readings' ? <TooMany problem={problem} /> : undefined
      }}
      resets
    >
      <Says planPage={session.plan_page} />
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
      {age}
      <details className={styles.more}>
        <summary>{t.more}</summary>
        <Field className={styles.time} name="read_at" label={t.readAt} type="datetime-local" />
        {history}
      </details>
    </Form>
  )
}

/** "Used so far, on your plan page". The page of a browser that is not known yet has no address. */
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

function TooMany({ problem }: { problem: Problem }) {
  const message = words().readings.tooMany(MOST_READINGS)
  return <Notice problem={problem} words={{ ...text().problem[problem.code], message }} />
}

/** Without the earlier readings, if they cannot be read, the number can only be a reset. */
function Lower({ session, storing }: { session: SignedIn; storing: Storing }) {
  const { data = [], isPending } = useQuery(earlierQuery(session))
  if (isPending || storing.refused === undefined) return null
  const { request } = storing.refused
  const earlier = contradicted(data, request)
  const highest = Math.max(...earlier.map(({ count }) => count))
  const t = words().readings
  return (
    <fieldset className={styles.lower}>
      <legend>{t.question}</legend>
      <p>{earlier.length > 0 ? t.lower(request.count, highest) : t.lowerThanUnknown(request.count)}</p>
      <div className={styles.choices}>
        <button type="button" onClick={() => storing.run({ request: { ...request, month_was_reset: true } })}>
          {t.wasReset}
        </button>
        {earlier.length > 0 && (
          <button type="button" onClick={() => storing.run({ request, without: earlier })}>
            {t.correct}
          </button>
        )}
      </div>
    </fieldset>
  )
}

const ERRORS = {
  count: () => words().readings.errors.count(MOST_COUNT),
  read_at: () => words().readings.errors.readAt,
}

/** The time is local, as the browser's field writes it: `2026-11-21T15:00`. Empty means now. */
export function entryIn(typed: FormData): { value: Entry } | { errors: FieldErrors } {
  const count = typedNumber(typedIn(typed, 'count'), { least: 0, most: MOST_COUNT })
  const time = typedIn(typed, 'read_at')
  const at = time === '' ? undefined : new Date(time)
  const isTime = at === undefined || !Number.isNaN(at.getTime())
  if (count === undefined || !isTime)
    return {
      errors: {
        ...(count === undefined && { count: ERRORS.count }),
        ...(!isTime && { read_at: ERRORS.read_at }),
      },
    }
  return { value: { request: { count, ...(at && { read_at: at.toISOString() }) } } }
}

/** The field that the server refused; absent for any other problem. */
export function refusedFields({ fault }: Problem): FieldErrors | undefined {
  const { count, read_at } = ERRORS
  if (fault?.startsWith('read_at')) return { read_at }
  return fault === 'count_not_in_range' ? { count } : undefined
}

/** Higher ones read before it, back to the last reset. @param readings newest first, by time of reading */
export function contradicted(readings: readonly Reading[], { count, read_at }: ReadingRequest): Reading[] {
  const before = readings.filter((reading) => read_at === undefined || isBefore(reading.read_at, read_at))
  const reset = before.findIndex((reading, at) => reading.count > (before[at - 1]?.count ?? Infinity))
  return before.slice(0, reset === -1 ? undefined : reset).filter((reading) => reading.count > count)
}

const isBefore = (a: string, b: string): boolean => Date.parse(a) <= Date.parse(b)
