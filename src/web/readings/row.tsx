import { type ReactNode, useState } from 'react'
import {
  type Reading,
  readingShows,
  MOST_COUNT,
  MOST_READINGS,
  type ReadingRequest,
} from '../../contract/readings.ts'
import type { SignedIn } from '../../contract/session.ts'
import { MINUTE_MS } from '../../contract/duration.ts'
import { Notice } from '../components/notice.tsx'
import { useElapsed } from '../lib/clock.ts'
import { agoWords, sentences, dateWords } from '../text/format.ts'
import { words, text } from '../text/text.ts'
import type { ReceivedQuota } from '../quota/query.ts'
import { useRemoving, useStoring, type Storing, readingsQuery } from './queries.ts'
import styles from './readings.module.css'
import { typedNumber } from '../../contract/typed-number.ts'
import { Field, type FieldErrors, Form, Submit, typedIn } from '../components/form.tsx'
import { Sentence } from '../text/sentence.tsx'
import { useQuery } from '@tanstack/react-query'

interface ReadingRowProps {
  session: SignedIn
  quota: ReceivedQuota
}

/** Takes the service's own count of the month. Sends nothing to the service. */
export function ReadingRow({ session, quota }: ReadingRowProps) {
  const storing = useStoring(session)
  const removing = useRemoving(session, storing.forget)
  // What was done last is said alone.
  const forget = (): void => {
    storing.forget()
    removing.forget()
  }
  const run: typeof storing.run = (entry) => {
    removing.forget()
    storing.run(entry)
  }
  const { problem } = removing
  return (
    <div className={styles.row}>
      <ReadingForm
        session={session}
        storing={{ ...storing, run, forget }}
        isWanted={quota.snapshot.month.reading_wanted !== undefined}
      >
        <Age quota={quota} done={storing.done ?? removing.done} remove={removing.run} />
        <ReadingHistory session={session} remove={removing.run} />
      </ReadingForm>
      {problem && <Notice problem={problem} again={removing.again} />}
    </div>
  )
}

interface AgeProps {
  quota: ReceivedQuota
  done: Storing['done'] | ReturnType<typeof useRemoving>['done']
  remove: (reading: Reading) => void
}

/** What was just saved, with a way back, or removed; else the age of the newest count, and a hint. */
function Age({ quota: { snapshot, atMs }, done, remove }: AgeProps) {
  const { organization, reading_wanted: wanted } = snapshot.month
  const { readings: t, month } = words()
  const elapsedMs = useElapsed(atMs)
  const age = organization ? t.enteredAgo(agoWords(organization.reading_age_ms + elapsedMs)) : ''
  const now = useElapsed(done?.atMs ?? 0) < MINUTE_MS ? done : undefined
  const saved = now?.result
  const hint = wanted ? month.wanted[readingShows(wanted)] : ''
  const said = now && (saved ? sentences(t.saved(saved.count), hint) : t.removed(now.of.count))
  return (
    <p className={styles.age}>
      <output>{said}</output>
      {!said && sentences(age, hint)}
      {saved ? <Undo reading={saved} remove={remove} /> : null}
    </p>
  )
}

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

interface ReadingHistoryProps {
  session: SignedIn
  remove: (reading: Reading) => void
}

/** Lists the counts of this month. It asks for them each time it opens, since others enter some too. */
export function ReadingHistory({ session, remove }: ReadingHistoryProps) {
  const [isOpen, setOpen] = useState(false)
  const query = { ...readingsQuery(session), enabled: isOpen, staleTime: 0 }
  const { data, error, isFetching, refetch } = useQuery(query)
  return (
    <details className={styles.more} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{words().readings.more}</summary>
      {isOpen && error && !isFetching && <Notice problem={error} again={() => void refetch()} />}
      {isOpen && data && <List readings={data} remove={remove} />}
    </details>
  )
}

function List({ readings, remove }: Pick<ReadingHistoryProps, 'remove'> & { readings: readonly Reading[] }) {
  const t = words().readings
  if (readings.length === 0) return <p className="quiet">{t.none}</p>
  return (
    <ul className="rows" aria-label={t.list}>
      {readings.map((reading) => (
        <li key={reading.id} className="apart">
          <span>
            <strong>{reading.count}</strong>{' '}
            <span className="quiet">
              <time dateTime={reading.read_at}>{t.read(dateWords(Date.parse(reading.read_at)))}</time>{' '}
              {t.by[reading.by]}
            </span>
          </span>
          <Undo reading={reading} remove={remove} />
        </li>
      ))}
    </ul>
  )
}

export function Undo({ reading, remove }: { reading: Reading; remove: (reading: Reading) => void }) {
  const t = words().readings
  return (
    <button
      type="button"
      data-kind="quiet"
      aria-label={t.undoOf(reading.count)}
      onClick={() => remove(reading)}
    >
      {t.undo}
    </button>
  )
}
